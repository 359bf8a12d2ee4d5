import type { ReactNode } from 'react';
import { type Json, jsonList } from '../json.js';
import { emojiNamed } from './emoji.js';

/** Signs that pictures are made of, drawn here as Slack has images of its own: no font has to know them. */
const drawings: Readonly<Record<string, ReactNode>> = {
  x: <path d="M3 3l10 10M13 3L3 13" stroke="#d3232f" strokeWidth="3.4" strokeLinecap="round" />,
  octagonal_sign: <path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" fill="#d3232f" />,
  no_entry_sign: (
    <g fill="none" stroke="#d3232f" strokeWidth="2.4">
      <circle cx="8" cy="8" r="6.2" />
      <path d="M3.8 3.8l8.4 8.4" />
    </g>
  ),
  warning: (
    <g>
      <path d="M8 1l7.4 13.4H.6z" fill="#f2b90c" />
      <path d="M8 5.6v4.6M8 11.6v1.6" stroke="#3d2c00" strokeWidth="1.7" />
    </g>
  ),
  white_large_square: (
    <rect x="1.5" y="1.5" width="13" height="13" rx="2" fill="#fff" stroke="#7b8794" strokeWidth="1.4" />
  ),
  hourglass_flowing_sand: (
    <g>
      <path d="M3 1.6h10M3 14.4h10" stroke="#7a5a2b" strokeWidth="1.8" />
      <path d="M4.2 2.4h7.6L8 8zM4.2 13.6h7.6L8 8z" fill="#d9a441" />
    </g>
  ),
  large_green_circle: <circle cx="8" cy="8" r="6.8" fill="#2c9a4b" />,
  red_circle: <circle cx="8" cy="8" r="6.8" fill="#d3232f" />,
  large_orange_circle: <circle cx="8" cy="8" r="6.8" fill="#e8912d" />,
  large_blue_circle: <circle cx="8" cy="8" r="6.8" fill="#2b6cb0" />,
  white_circle: <circle cx="8" cy="8" r="6.4" fill="#fff" stroke="#7b8794" strokeWidth="1.6" />,
  rewind: <path d="M8 3v10L1.5 8zM14.5 3v10L8 8z" fill="#2b6cb0" />,
  mag: (
    <g fill="none" stroke="#5b6670" strokeWidth="2">
      <circle cx="6.6" cy="6.6" r="4.4" />
      <path d="M10 10l4.4 4.4" strokeLinecap="round" />
    </g>
  ),
  twisted_rightwards_arrows: (
    <path
      d="M1.5 4.5h3l5 7h4M1.5 11.5h3l5-7h4M11.5 2.5l2.5 2-2.5 2M11.5 9.5l2.5 2-2.5 2"
      fill="none"
      stroke="#2b6cb0"
      strokeWidth="1.7"
    />
  ),
  heavy_minus_sign: <path d="M2.5 8h11" stroke="#5b6670" strokeWidth="3" strokeLinecap="round" />,
};

/** An emoji by its name, with that name for those who hear it, as Slack says it. */
export function EmojiSign({ name }: { name: string }) {
  const drawing = Object.hasOwn(drawings, name) ? drawings[name] : undefined;
  if (drawing === undefined) return emojiNamed(name);
  return (
    <svg className="emoji-sign" viewBox="0 0 16 16" role="img" aria-label={`:${name}:`}>
      {drawing}
    </svg>
  );
}

/** The same signs where a text has them as characters. */
const names: Readonly<Record<string, string>> = {
  '🔴': 'red_circle',
  '🟠': 'large_orange_circle',
  '🔵': 'large_blue_circle',
  '🟢': 'large_green_circle',
  '⚪': 'white_circle',
  '⏳': 'hourglass_flowing_sand',
  '⏪': 'rewind',
  '🔍': 'mag',
  '🔀': 'twisted_rightwards_arrows',
};

const sign = /([🔴🟠🔵🟢⚪⏳⏪🔍🔀])/u;

/** Elements of rich text whose signs are emoji of their own, as the library draws only those. */
export function withSignElements(elements: readonly Json[]): readonly Json[] {
  return elements.flatMap((element) => {
    if (element.elements !== undefined) {
      return [{ ...element, elements: withSignElements(jsonList(element.elements)) }];
    }
    if (element.type !== 'text' || typeof element.text !== 'string') return [element];
    return element.text
      .split(sign)
      .filter((part) => part !== '')
      .map((part) => {
        const name = names[part];
        return name === undefined ? { ...element, text: part } : { type: 'emoji', name };
      });
  });
}

/** A plain text with its signs drawn; others stay characters. */
export function WithSigns({ text }: { text: string }): ReactNode {
  return text.split(sign).map((part, index) => {
    const name = names[part];
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no identity and never move
    return name === undefined ? part : <EmojiSign key={index} name={name} />;
  });
}
