import * as z from 'zod';
import { slackFailure } from './call-slack.js';
import type { Message } from './render/message.js';

/**
 * Slack's true limit over all blocks is not documented: a message it finds too long is said in words alone.
 */
export function tooMuch(answer: { readonly type: string; readonly error?: string }): boolean {
  return answer.type === 'refused' && answer.error !== undefined && tooMuchErrors.has(answer.error);
}

const tooMuchErrors: ReadonlySet<string> = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'msg_too_long',
  'only_one_table_allowed',
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

/**
 * Sends a message, and once more in lines where Slack refuses its table: a refused message was not posted.
 */
export async function sendWithTable<Result>(
  { text, blocks, withoutTable }: Message,
  send: (message: Message) => Promise<Result>,
): Promise<Result> {
  if (withoutTable === undefined) return send({ text, blocks });
  try {
    return await send({ text, blocks });
  } catch (error) {
    if (!isRefused(error)) throw error;
    return send({ text, blocks: withoutTable });
  }
}

function isRefused(error: unknown): boolean {
  const responded = RespondError.safeParse(error);
  if (responded.success) return responded.data.statusCode >= 400 && responded.data.statusCode < 500;
  return tooMuch(slackFailure(error));
}

/**
 * Bolt's error for a response address, by the code that Bolt documents. Its class would load Bolt with its
 * web servers into the worker, which receives nothing from Slack.
 */
const RespondError = z.object({ code: z.literal('slack_bolt_respond_error'), statusCode: z.number() });
