import { expect } from 'vitest';
import { type Message, messageBudget } from '#src/edges/slack/render/message.js';
import { checkBlocks } from '../../../../demo/slack/block-limits.js';

/** What clusters, workspaces and people might be called. */
export const hostileTexts: readonly (readonly [string, string])[] = [
  ['a broadcast', '<!channel> <!here|x> <@U012ABCDEF> <https://evil.example|safe>'],
  ['backticks and fences', '``` ` ```'],
  ['mrkdwn marks', '*bold* _it_ ~st~ > quote\n• list'],
  ['direction marks', '\u202eevil\u2066\u200f'],
  ['control characters', '\u0000\u0007\u001b[31mred\u009b'],
  ['entities', '&lt;!channel&gt; &amp;'],
  ['nothing', ''],
  ['spaces only', ' \n\t '],
  ['a name of 253 characters', 'n'.repeat(253)],
  ['a message of 100 kB', '0/3 nodes <are> & available. '.repeat(3_500)],
  ['100 kB without a space', '<'.repeat(100_000)],
  ['emoji by the hundred', '👩‍👩‍👧‍👦'.repeat(500)],
  ['a tab inside', 'a\tb\n\tc'],
  ['a lone surrogate', '\ud800x'],
  ['a date that is none', '<!date^1^{date}|x>'],
];

/** Texts that Slack reads as mrkdwn, and those among them in which it would turn words into links. */
function mrkdwnTexts(blocks: readonly unknown[]) {
  const found: { readonly texts: string[]; readonly linked: unknown[] } = { texts: [], linked: [] };
  JSON.stringify(blocks, (_, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'type' in value && value.type === 'mrkdwn') {
      if ('text' in value) found.texts.push(String(value.text));
      if (!('verbatim' in value) || value.verbatim !== true) found.linked.push(value);
    }
    return value;
  });
  return found;
}

/** Only the marks that we make ourselves: dates with our format, and people by a well-formed id. */
const ours = /<!date\^\d+\^\{date_short_pretty\} \{time(?:_secs)?\}\|[0-9: UTC-]+>|<@[UW][A-Z0-9]+>/g;

/** Control and direction characters; line breaks and tabs may stand in literal text. */
export const invisible = /(?![\t\n])[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Slack takes it, and nothing in it can mention, link, format or hide anything that we did not mean. */
export function expectHarmless(message: Message): void {
  const { text, blocks } = message;
  expect(checkBlocks(blocks, 'message')).toEqual([]);
  expect(JSON.stringify(blocks).length + text.length).toBeLessThanOrEqual(messageBudget);
  expectHarmlessView(message);
}

/** The same for the blocks of a view, whose limits `checkView` judges. */
export function expectHarmlessView({ text, blocks }: Message): void {
  const { texts, linked } = mrkdwnTexts(blocks);
  const all = [text, ...texts];
  expect(linked).toEqual([]);
  expect(all.filter((each) => /[<>]/.test(each.replace(ours, '')))).toEqual([]);
  expect(all.filter((each) => each.replace(/[^`]/g, '').length % 2 !== 0)).toEqual([]);
  expect(text.trim()).not.toBe('');
  expect(invisible.test(everyText([text, blocks]))).toBe(false);
}

/** All strings in a value, one after the other. */
export function everyText(value: unknown): string {
  const found: string[] = [];
  JSON.stringify(value, (key, each: unknown) => {
    if (typeof each === 'string' && key !== 'value' && key !== 'private_metadata') found.push(each);
    return each;
  });
  return found.join('');
}
