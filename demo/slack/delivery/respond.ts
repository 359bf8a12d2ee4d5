import { z } from 'zod';
import { checkBlocks } from '../block-limits.js';
import type { Desk } from '../desk.js';
import type { Json } from '../json.js';
import { changeMessage, currentMessage, removeMessage, storeMessage } from '../workspace/messages.js';
import type { Message } from '../workspace/model.js';
import { edit, erase, post } from './posting.js';
import type { ResponseTarget } from './response-urls.js';

const list = z.array(z.record(z.string(), z.unknown()));

/** What an app may post to a response_url, or answer a slash command with. */
export const AppResponse = z.looseObject({
  text: z.string().default(''),
  blocks: list.optional(),
  attachments: list.optional(),
  response_type: z.enum(['ephemeral', 'in_channel']).optional(),
  replace_original: z.boolean().default(false),
  delete_original: z.boolean().default(false),
  thread_ts: z.string().optional(),
});
export type AppResponse = z.output<typeof AppResponse>;

export interface Answered {
  readonly ok: boolean;
  readonly error?: string;
  readonly errors?: readonly string[];
}

/** Does what an answer to a response_url or a command asks for. */
export function respond(desk: Desk, target: ResponseTarget, body: unknown): Answered {
  const parsed = AppResponse.safeParse(body);
  if (!parsed.success) return { ok: false, error: 'invalid_payload' };
  const response = parsed.data;
  const problems = response.blocks === undefined ? [] : checkBlocks(response.blocks, 'message');
  if (problems[0] !== undefined) {
    return {
      ok: false,
      error: problems[0].error,
      errors: problems.map(({ pointer, message }) => `${message} [json-pointer:${pointer}]`),
    };
  }
  const original = originalOf(desk, target);
  if (response.delete_original) {
    if (original === undefined) return { ok: false, error: 'message_not_found' };
    if (original.visibleTo === undefined) erase(desk, original);
    else removeMessage(desk.workspace, original);
    return { ok: true };
  }
  const content = {
    text: response.text,
    blocks: (response.blocks ?? []) as readonly Json[],
    attachments: (response.attachments ?? []) as readonly Json[],
  };
  if (content.text === '' && content.blocks.length === 0 && content.attachments.length === 0) {
    return { ok: false, error: 'no_text' };
  }
  if (response.replace_original && original !== undefined) {
    if (original.visibleTo === undefined) edit(desk, original, content);
    else changeMessage(desk.workspace, original, content);
    return { ok: true };
  }
  const author = { user: desk.app.botUserId, botId: desk.app.botId, appId: desk.app.appId };
  const threadTs = response.thread_ts ?? target.threadTs;
  const draft = { channel: target.channel, threadTs, ...author, ...content };
  if (response.response_type === 'in_channel') post(desk, draft);
  else storeMessage(desk.workspace, { ...draft, visibleTo: target.userId });
  return { ok: true };
}

function originalOf(desk: Desk, { channel, messageTs }: ResponseTarget): Message | undefined {
  return messageTs === undefined ? undefined : currentMessage(desk.workspace, { channel, ts: messageTs });
}
