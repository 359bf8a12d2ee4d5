import { RespondError } from '@slack/bolt';
import { WebAPIPlatformError } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { sendWithTable } from '#src/edges/slack/plain-message.js';
import type { Message } from '#src/edges/slack/render/message.js';

const table: Message = {
  text: 'two incidents',
  blocks: [{ type: 'divider' }],
  withoutTable: [{ type: 'section', text: { type: 'mrkdwn', text: 'two lines' } }],
};

const platformError = (error: string) => new WebAPIPlatformError({ ok: false, error });

/** Sends the table to a Slack that refuses the first message; returns the blocks of each message. */
async function sendRefused(refusal: Error, message: Message = table) {
  const sent: Message['blocks'][] = [];
  const outcome = await sendWithTable(message, async ({ blocks }) => {
    sent.push(blocks);
    if (sent.length === 1) throw refusal;
    return 'sent';
  }).catch((error: unknown) => error);
  return { sent, outcome };
}

describe('a message with a table', () => {
  it.each([
    ['its response address answers 400', new RespondError('Failed to respond', 400)],
    ['its response address answers 499', new RespondError('Failed to respond', 499)],
    ['Slack refuses a second table', platformError('only_one_table_allowed')],
    ['Slack refuses its blocks', platformError('invalid_blocks')],
  ])('is sent again in lines where %s', async (_, refusal) => {
    const { sent, outcome } = await sendRefused(refusal);

    expect(outcome).toBe('sent');
    expect(sent).toEqual([table.blocks, table.withoutTable]);
  });

  it.each([
    ['its response address fails', new RespondError('Failed to respond', 500)],
    ['its response address moved', new RespondError('Failed to respond', 302)],
    ['its channel is archived', platformError('is_archived')],
    ['the connection breaks', new Error('socket hang up')],
  ])('is not sent again where %s', async (_, failure) => {
    const { sent, outcome } = await sendRefused(failure);

    expect(outcome).toBe(failure);
    expect(sent).toEqual([table.blocks]);
  });

  it('is not sent again where it has no lines', async () => {
    const refusal = new RespondError('Failed to respond', 400);

    expect(await sendRefused(refusal, { text: 'a', blocks: table.blocks })).toEqual({
      sent: [table.blocks],
      outcome: refusal,
    });
  });
});
