import type { RespondFn } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { callSlack } from '../call-slack.js';
import type { Message } from '../render/message.js';

/** Somebody who waits for an answer, and the way to answer so that only they see it. */
export interface Asker {
  readonly user: string;
  readonly channel: string;
  readonly threadTs?: string;
  /** @throws when Slack does not take the answer */
  readonly answer: (message: Message) => Promise<void>;
}

export interface Whereabouts {
  readonly user: string;
  readonly channel: string;
  readonly threadTs?: string | undefined;
}

/** Answers through the request's own address: works for half an hour, also where the bot is not a member. */
export function askerByResponse({ user, channel, threadTs }: Whereabouts, respond: RespondFn): Asker {
  return {
    user,
    channel,
    ...(threadTs === undefined ? {} : { threadTs }),
    async answer({ text, blocks }) {
      await respond({
        response_type: 'ephemeral',
        replace_original: false,
        text,
        blocks,
        ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
      });
    },
  };
}

/** Answers with an ephemeral message of our own, where there is no address to respond to. */
export function askerByMessage({ user, channel, threadTs }: Whereabouts, client: WebClient): Asker {
  return {
    user,
    channel,
    ...(threadTs === undefined ? {} : { threadTs }),
    async answer({ text, blocks }) {
      await client.chat.postEphemeral({
        channel,
        user,
        text,
        blocks,
        ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
      });
    },
  };
}

/** Whether the answer got through. */
export async function answered(asker: Asker, message: Message): Promise<boolean> {
  const { type } = await callSlack(() => asker.answer(message));
  return type === 'answered';
}
