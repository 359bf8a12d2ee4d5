import { setTimeout } from 'node:timers/promises';
import type { RespondFn } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Language } from '../../../engine/language/language.js';
import { callSlack } from '../call-slack.js';
import { sendWithTable } from '../plain-message.js';
import type { Message } from '../render/message.js';
import { answerModal } from '../render/modal.js';
import type { ListenerDeps } from './deps.js';

/** Somebody who waits for an answer, and the way to answer so that only they see it. */
export interface Asker {
  readonly user: string;
  readonly channel: string;
  readonly threadTs?: string;
  /** @throws when Slack does not take the answer */
  readonly answer: (message: Message) => Promise<void>;
}

interface Whereabouts {
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
    async answer(message) {
      await sendWithTable(message, ({ text, blocks }) =>
        respond({
          response_type: 'ephemeral',
          replace_original: false,
          text,
          blocks,
          ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
        }),
      );
    },
  };
}

/**
 * Answers with an ephemeral message of our own, where there is no address to respond to; without a channel
 * directly.
 *
 * @param isThread false where nobody has replied to the message `threadTs` yet: Slack shows an ephemeral
 *   message in a thread only where the thread exists
 */
export function askerByMessage(
  { user, channel, threadTs, isThread = true }: Whereabouts & { readonly isThread?: boolean },
  client: WebClient,
): Asker {
  return {
    user,
    channel,
    ...(threadTs === undefined ? {} : { threadTs }),
    async answer(message) {
      const isInThread = threadTs !== undefined && isThread;
      const place = isInThread ? { channel, user, thread_ts: threadTs } : { channel, user };
      await sendWithTable(message, ({ text, blocks }) =>
        channel === ''
          ? client.chat.postMessage({ channel: user, text, blocks })
          : client.chat.postEphemeral({ ...place, text, blocks }),
      );
    },
  };
}

/** A view in which somebody pressed: a modal, or their Home page. */
interface PressedView {
  readonly user: string;
  readonly language: Language;
  readonly triggerId: string;
  /** Of the modal; absent on the Home page. */
  readonly modalId: string | undefined;
  /** Where a card is posted that the press asks for; empty where the view names no channel. */
  readonly channel: string;
}

/** Answers in the modal; on the Home page in a new one, and directly where Slack does not open it. */
export function askerByView(
  { user, language, triggerId, modalId, channel }: PressedView,
  client: WebClient,
): Asker {
  const direct = askerByMessage({ user, channel: '' }, client);
  let shown = modalId;
  return {
    user,
    channel,
    async answer(message) {
      const view = answerModal(language, message);
      const view_id = shown;
      const answer = await callSlack(() =>
        view_id === undefined
          ? client.views.open({ trigger_id: triggerId, view })
          : client.views.update({ view_id, view }),
      );
      if (answer.type === 'answered') shown = answer.result.view?.id ?? shown;
      else await direct.answer(message);
    },
  };
}

/** Whether the answer got through. */
export async function answered(asker: Asker, message: Message): Promise<boolean> {
  const { type } = await callSlack(() => asker.answer(message));
  return type === 'answered';
}

/** Slack shows an error when a command is not acknowledged within three seconds. */
const maxWaitMs = 500;

/**
 * The language of somebody who waits for a first answer: what Slack tells within a moment, also when the
 * person writes for the first time; after that the default. Never fails.
 */
export async function languageSoon(
  { people }: Pick<ListenerDeps, 'people'>,
  user: string,
): Promise<Language> {
  const late = setTimeout(maxWaitMs, undefined, { ref: false });
  return (await Promise.race([people.languageOf(user), late])) ?? people.cachedLanguage(user);
}
