import * as z from 'zod';
import type { RawAlert } from '../../doctor/alerts/alert.js';
import { boundText } from '../../engine/language/text-scanning.js';

const Field = z.object({ title: z.string().catch(''), value: z.string().catch('') });

const Attachment = z.object({
  pretext: z.string().optional().catch(undefined),
  title: z.string().optional().catch(undefined),
  title_link: z.string().optional().catch(undefined),
  text: z.string().optional().catch(undefined),
  fallback: z.string().optional().catch(undefined),
  fields: z.array(Field).optional().catch(undefined),
  blocks: z.array(z.unknown()).optional().catch(undefined),
});

/** A message as events and shortcuts carry it; what is not read may be anything. */
export const AlertMessage = z.object({
  ts: z.string().regex(/^\d{1,12}\.\d{1,9}$/),
  thread_ts: z.string().optional(),
  text: z.string().nullish(),
  user: z.string().nullish(),
  bot_id: z.string().nullish(),
  app_id: z.string().nullish(),
  blocks: z.array(z.unknown()).nullish(),
  attachments: z.array(Attachment).nullish().catch(undefined),
});
export type AlertMessage = z.output<typeof AlertMessage>;

const maxAlerts = 10;

/**
 * The alerts of a message that another program posted: Alertmanager's and Grafana's attachments, Robusta's
 * blocks, or any layout with names in it. One alert, unless the text lists several with their labels, as
 * Grafana's does.
 *
 * @param digest of the text that tells an alert from others of its channel
 */
export function alertsOfMessage(
  message: AlertMessage,
  digest: (text: string) => string,
): readonly RawAlert[] {
  const lines = linesOf(message);
  const title = titleOf(message, lines);
  const links = (message.attachments ?? []).flatMap(({ title_link }) => title_link ?? []);
  const startsAt = new Date(Number(message.ts) * 1_000).toISOString();
  const texts = sectionsOf(lines);
  const name = nameOf(title, texts.length === 1 ? lines : []);
  return texts.map((text): RawAlert => {
    const over = isOver(title) || /\*{0,2}Resolved\*{0,2}\s*$/iu.test(text.heading);
    return {
      source: 'slack',
      status: over ? 'resolved' : 'firing',
      fingerprint: digest(JSON.stringify([steady(title), texts.length > 1 ? labelLines(text.text) : []])),
      name,
      startsAt,
      labels: {},
      text: `${title}\n${text.text}`,
      links,
    };
  });
}

interface Section {
  /** The last heading before the section: Grafana writes `**Firing**` and `**Resolved**`. */
  readonly heading: string;
  readonly text: string;
}

/** Grafana's default text repeats `Labels:` for each alert; everything else is one. */
function sectionsOf(lines: readonly string[]): readonly Section[] {
  const starts = lines.flatMap((line, position) => (/^\W*labels:\W*$/iu.test(line) ? [position] : []));
  if (starts.length < 2) return [{ heading: '', text: lines.join('\n') }];
  return starts.slice(0, maxAlerts).map((from, number): Section => {
    const before = lines.slice(0, from).filter((line) => /^\W*(?:firing|resolved)\W*$/iu.test(line));
    return { heading: before.at(-1) ?? '', text: lines.slice(from, starts[number + 1]).join('\n') };
  });
}

function labelLines(text: string): readonly string[] {
  return text.split('\n').filter((line) => /^\W*\w[\w.]*\s*[=:]/u.test(line) && !/value|http/iu.test(line));
}

function isOver(title: string): boolean {
  return (
    /\[RESOLVED(?::\d+)?\]|\balert resolved\b/iu.test(title) ||
    /^\s*(?::white_check_mark:|:large_green_circle:|✅|🟢)/u.test(title)
  );
}

/** The title without what changes while the alert stays the same: its state, and how many there are. */
function steady(title: string): string {
  return title
    .replace(/\[(?:FIRING|RESOLVED)[^\][]*\]/giu, '')
    .replace(/\b(?:alert )?(?:firing|resolved)\b/giu, '')
    .replace(/:[a-z_]+:|\p{Extended_Pictographic}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** `alertname` where the text spells it out, else the first word of the title that is written like one. */
function nameOf(title: string, lines: readonly string[]): string {
  for (const line of lines) {
    const [, between = '', spelled] = /^\W*alertname(\W*)(\w[\w-]+)/iu.exec(line) ?? [];
    if (/[:=]/u.test(between)) return spelled?.slice(0, maxName) ?? '';
  }
  const rest = steady(title);
  return /\b[A-Z][a-z]+[A-Z][A-Za-z0-9]*\b/u.exec(rest)?.[0] ?? rest;
}

const maxName = 100;

function titleOf({ attachments, text }: AlertMessage, lines: readonly string[]): string {
  const attached = (attachments ?? []).find(({ title }) => title !== undefined && title !== '')?.title;
  const [first = ''] = lines;
  return boundText(attached || firstLine(text ?? '') || first, maxTitle);
}

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? text : text.slice(0, end);
}

const maxTitle = 1_000;
/** Characters that are read of one message; names stand at its beginning. Slack cuts `text` at 40,000. */
export const maxMessageText = 32_000;
const maxLines = 400;
const maxLine = 4_000;
const maxAttachments = 20;
const maxFields = 100;
const maxDepth = 6;
const maxItems = 200;

/** What a reader sees, a line each, in their order, up to `maxMessageText`. */
function linesOf({ text, blocks, attachments }: AlertMessage): readonly string[] {
  const attached = (attachments ?? []).slice(0, maxAttachments).map((each) => {
    const inside = textsIn(each.blocks ?? [], 0);
    const fields = (each.fields ?? []).slice(0, maxFields);
    const spelled = fields.map(({ title, value }) => `${boundText(title, maxLine)}: ${value}`);
    const isBare = (each.title ?? each.text) === undefined && inside.length === 0;
    const own = [each.pretext, each.title, each.text, ...spelled];
    return [...own.map((part) => part ?? ''), ...inside, isBare ? (each.fallback ?? '') : ''];
  });
  const parts = [text ?? '', ...textsIn(blocks ?? [], 0), ...attached.flat()];
  return boundText(parts.map((part) => boundText(part, maxMessageText)).join('\n'), maxMessageText)
    .split('\n', maxLines * 4)
    .map((line) => boundText(line.trim(), maxLine))
    .filter((line) => line !== '')
    .slice(0, maxLines);
}

/** Texts of blocks, rich text and tables, however they are nested. */
function textsIn(value: unknown, depth: number): readonly string[] {
  if (depth > maxDepth || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.slice(0, maxItems).flatMap((each) => textsIn(each, depth + 1));
  const fields = value as Readonly<Record<string, unknown>>;
  const own = typeof fields.text === 'string' ? [fields.text] : [];
  if (fields.type === 'rich_text_section' || fields.type === 'rich_text_preformatted') {
    return [textsIn(fields.elements, depth + 1).join('')];
  }
  const inner = ['text', 'fields', 'elements', 'rows'].flatMap((key) =>
    typeof fields[key] === 'object' ? textsIn(fields[key], depth + 1) : [],
  );
  return [...own, ...inner];
}
