import type { Message } from './render/message.js';

/** Slack's true limit over all blocks is not documented: a message it finds too long is said in words alone. */
export function tooMuch(answer: { readonly type: string; readonly error?: string }): boolean {
  return answer.type === 'refused' && answer.error !== undefined && tooMuchErrors.has(answer.error);
}

const tooMuchErrors: ReadonlySet<string> = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'msg_too_long',
]);

/** The message in words alone, with its first buttons. */
export function plainOnly({ text, blocks }: Message): Message {
  return {
    text,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: text.slice(0, 3_000), verbatim: true } },
      ...blocks.filter(({ type }) => type === 'actions').slice(0, 2),
    ],
  };
}
