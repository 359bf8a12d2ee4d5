import type { Page } from 'playwright-core';

/** A text that stands out too little from what is behind it. */
export interface LowContrast {
  readonly text: string;
  readonly selector: string;
  /** As WCAG 2.2 defines it, from 1 to 21. */
  readonly ratio: number;
}

/** WCAG 2.2, success criterion 1.4.3. It exempts disabled buttons, which people read all the same. */
const least = 4.5;

/**
 * The texts of a page with a contrast below 4.5 to 1, each kind once, at the end of all
 * transitions. Colours of all ancestors are laid over
 * each other with their opacity. Images behind a text, and filters, do not count.
 */
export async function lowContrasts(page: Page): Promise<readonly LowContrast[]> {
  return await page.evaluate(`(${measured})(${least})`);
}

const measured = `(least) => {
  for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
  const colour = (text) => {
    const [r = 0, g = 0, b = 0, a = 1] = (text.match(/[\\d.]+/g) ?? []).map(Number);
    return text.startsWith('color') ? [r * 255, g * 255, b * 255, a] : [r, g, b, a];
  };
  const mixed = (top, bottom, share) => [0, 1, 2].map((at) => top[at] * share + bottom[at] * (1 - share));
  const laid = (top, bottom) => mixed(top, bottom, top[3]);
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((each) => {
      const value = each / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const painted = ([element, ...inner], behind) => {
    const style = getComputedStyle(element);
    const ground = laid(colour(style.backgroundColor), behind);
    const drawn =
      inner.length > 0 ? painted(inner, ground) : { ground, ink: laid(colour(style.color), ground) };
    const opacity = Number(style.opacity);
    return { ground: mixed(drawn.ground, behind, opacity), ink: mixed(drawn.ink, behind, opacity) };
  };
  const hasText = ({ childNodes }) =>
    [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '');
  const canvas = matchMedia('(prefers-color-scheme: dark)').matches ? [0, 0, 0] : [255, 255, 255];
  const found = new Map();
  for (const element of document.querySelectorAll('body *')) {
    const isShown = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!isShown || !hasText(element) || getComputedStyle(element).clipPath !== 'none') continue;
    const chain = [];
    for (let at = element; at !== null; at = at.parentElement) chain.unshift(at);
    const { ground, ink } = painted(chain, canvas);
    const [dark, light] = [luminance(ground), luminance(ink)].sort((one, other) => one - other);
    const ratio = Math.round(((light + 0.05) / (dark + 0.05)) * 100) / 100;
    const selector = [element.parentElement, element]
      .map(({ localName, className }) => localName + (className ? '.' + className : ''))
      .join(' > ');
    if (ratio < least) found.set(selector, { text: element.textContent.trim().slice(0, 40), selector, ratio });
  }
  return [...found.values()];
}`;
