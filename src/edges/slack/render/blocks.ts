import type {
  ActionsBlock,
  Button,
  ContextBlock,
  HeaderBlock,
  KnownBlock,
  Overflow,
  PlainTextElement,
  RichTextBlock,
  RichTextElement,
  SectionBlock,
} from '@slack/types';
import { untrusted } from '../../../doctor/redaction/untrusted.js';
import { type Prose, word } from '../../../engine/language/prose.js';
import { fitted, type Message, type Size, sizes, spoken } from './message.js';
import { cut, escapeMrkdwn, type Links, toMrkdwn, toPlainText, toRichText } from './prose.js';

export function paragraph(
  prose: Prose,
  { lengths }: Size,
  options: { readonly bold?: boolean; readonly links?: Links } = {},
): RichTextBlock {
  return richText([{ type: 'rich_text_section', elements: toRichText(prose, { lengths, ...options }) }]);
}

/** The title of a card: large, without marks, and on a phone few lines. Names give way first. */
export function title(prose: Prose, { lengths }: Size): HeaderBlock {
  const tried = [titleName, ...sizes.map((size) => size.lengths.code)].map((code) =>
    toPlainText(prose, {
      code: Math.min(code, titleName, lengths.code),
      quote: Math.min(lengths.quote, titleName),
    }),
  );
  const text =
    tried.find(({ length }) => length <= titleLength) ?? cut(toPlainText(prose, terse), titleLength);
  return { type: 'header', text: plainText(text, titleLength) };
}

/** A verdict in bold and, after it, what qualifies it in normal weight. */
export function headline(verdict: Prose, qualifier: Prose, { lengths }: Size): RichTextBlock {
  const elements: RichTextElement[] = toRichText(verdict, { lengths, bold: true });
  if (qualifier.length > 0) elements.push(...toRichText([word(' · '), ...qualifier], { lengths }));
  return richText([{ type: 'rich_text_section', elements }]);
}

/** Nothing where there are no blocks below the heading. */
export function section(heading: Prose, blocks: readonly KnownBlock[], size: Size): KnownBlock[] {
  return blocks.length === 0 ? [] : [paragraph(heading, size), ...blocks];
}

/** Steps one after the other, numbered; what does not fit is counted. */
export function steps(
  items: readonly Prose[],
  size: Size,
  more: (count: number) => Prose,
  style: 'ordered' | 'bullet' = 'ordered',
  links?: Links,
): KnownBlock[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, size.items);
  const list = {
    type: 'rich_text_list' as const,
    style,
    elements: shown.map((item) => ({
      type: 'rich_text_section' as const,
      elements: toRichText(item, { lengths: size.lengths, links }),
    })),
  };
  const hidden = items.length - shown.length;
  if (hidden === 0) return [richText([list])];
  const rest = {
    type: 'rich_text_section' as const,
    elements: toRichText(more(hidden), { lengths: size.lengths }),
  };
  return [richText([list, rest])];
}

/** Small grey line below; parts are separated by dots. */
export function footer(parts: readonly Prose[], size: Size, links?: Links): ContextBlock {
  const text = parts
    .slice(0, 10)
    .map((part) => within(part, size, footerPartLength + longestLink(links), links))
    .join(' · ');
  return { type: 'context', elements: [{ type: 'mrkdwn', text, verbatim: true }] };
}

/** A line with a button at its end. */
export function lineWithButton(prose: Prose, button: Button, size: Size): SectionBlock {
  const text = within(prose, size, sectionLength);
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true }, accessory: button };
}

/** A line, with a button at its end where there is one. */
export function line(prose: Prose, button: Button | undefined, size: Size): SectionBlock {
  if (button !== undefined) return lineWithButton(prose, button, size);
  return {
    type: 'section',
    text: { type: 'mrkdwn', text: within(prose, size, sectionLength), verbatim: true },
  };
}

/** Lines of mrkdwn in one section: more compact than rich text where many lines stand together. */
export function lines(
  heading: Prose,
  items: readonly Prose[],
  size: Size,
  more: (count: number) => Prose,
): KnownBlock[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, size.items);
  const hidden = items.length - shown.length;
  const all = [
    within(heading, size, lineLength),
    ...shown.map((item) => `• ${within(item, size, lineLength)}`),
    ...(hidden > 0 ? [within(more(hidden), size, lineLength)] : []),
  ];
  return packed(all).map((text) => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }));
}

/** Foreign text as it is, over several lines: literal, nothing in it is read as markup. */
export function preformatted(text: string, max: number): RichTextBlock {
  const shown = untrusted(text, max, { keepLines: true });
  return richText([
    { type: 'rich_text_preformatted', elements: [{ type: 'text', text: shown === '' ? ' ' : shown }] },
  ]);
}

interface ButtonOptions {
  readonly actionId: string;
  readonly text: string;
  /**
   * What it is about. The name of the button is its text and then this, so that people who speak to their
   * device can say what they see (WCAG 2.5.3).
   */
  readonly about?: string;
  /** Absent: the press itself says all. Slack refuses an empty one. */
  readonly value?: string | undefined;
  readonly style?: 'primary' | 'danger';
  readonly confirm?: Button['confirm'];
}

export function button({ actionId, text, about, value, style, confirm }: ButtonOptions): Button {
  return {
    type: 'button',
    action_id: actionId,
    text: plainText(text, 75),
    ...(value === undefined ? {} : { value: value.slice(0, 2_000) }),
    accessibility_label: plainText(about === undefined ? text : `${text}: ${about}`, 75).text,
    ...(style === undefined ? {} : { style }),
    ...(confirm === undefined ? {} : { confirm }),
  };
}

/** A button that opens an address. It is never the only way: not every device shows where it leads. */
export function linkButton({
  url,
  ...options
}: Omit<ButtonOptions, 'value' | 'confirm'> & { readonly url: string }): Button {
  return { ...button(options), url: url.slice(0, 3_000) };
}

export interface MenuEntry {
  readonly text: string;
  readonly value: string;
  /** Opens this address. */
  readonly url?: string;
}

/** A menu of further actions; none where it would be empty. */
export function menu(actionId: string, entries: readonly MenuEntry[]): Overflow[] {
  if (entries.length === 0) return [];
  return [
    {
      type: 'overflow',
      action_id: actionId,
      options: entries.slice(0, maxMenuEntries).map(({ text, ...rest }) => ({
        text: plainText(text, maxOptionText),
        ...rest,
      })),
    },
  ];
}

/** Characters that Slack accepts in one entry of a menu. */
export const maxOptionText = 75;

export function actions(buttons: readonly (Button | Overflow)[]): ActionsBlock[] {
  return buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons.slice(0, 25) }];
}

/** Plain text without emoji names, cleaned and cut to what the place takes: names may stand in it. */
export function plainText(text: string, max: number): PlainTextElement {
  const shown = untrusted(text, max);
  return { type: 'plain_text', text: shown === '' ? '…' : shown, emoji: false };
}

/**
 * Prose as mrkdwn of at most `max` characters: foreign text gives way first, so that no mark is cut in half.
 */
function within(prose: Prose, { lengths }: Pick<Size, 'lengths'>, max: number, links?: Links): string {
  for (const tried of [lengths, ...sizes.map((size) => size.lengths)]) {
    const text = toMrkdwn(prose, tried, links);
    if (text.length <= max) return text;
  }
  return escapeMrkdwn(cut(toPlainText(prose, terse), Math.floor(max / longestEntity)));
}

/** Addresses count towards a text's length, and not towards what people read. */
function longestLink(links: Links = new Map()): number {
  return Math.max(0, ...[...links.values()].map(({ length }) => length));
}

/** Joins lines into texts that each fit a section. */
function packed(all: readonly string[]): string[] {
  const texts: string[] = [];
  for (const line of all) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + line.length + 1 <= sectionLength) {
      texts[texts.length - 1] = `${last}\n${line}`;
    } else {
      texts.push(line);
    }
  }
  return texts;
}

export const maxMenuEntries = 5;
/** Slack's limit. */
const titleLength = 150;
const titleName = 22;
const sectionLength = 3_000;
const lineLength = 1_000;
const footerPartLength = 180;
const longestEntity = 5;
const terse = { code: 12, quote: 30 };

function richText(elements: RichTextBlock['elements']): RichTextBlock {
  return { type: 'rich_text', elements };
}

/** A few sentences for one person. */
export function renderNotice(...sentences: readonly Prose[]): Message {
  const said = sentences.filter((sentence) => sentence.length > 0);
  return fitted((size) => ({
    text: spoken(said),
    blocks: said.map((sentence) => paragraph(sentence, size)),
  }));
}
