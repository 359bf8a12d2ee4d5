import type { AckFn, App, AuthorizeSourceData, RespondArguments } from '@slack/bolt';
import type { Logger } from 'pino';
import type { Language } from '../../core/language/language.js';
import { DoctorError } from '../../errors.js';
import { answersText } from './render/answers-text.js';
import { renderNotice } from './render/notice.js';
import { isOwnInstallation, type SlackIdentity } from './slack-identity.js';

/**
 * Whether a request is for this installation; kept in Bolt's context of the request. `unknown`: Slack did not
 * answer.
 */
interface Origin {
  readonly whose: 'own' | 'other' | 'unknown';
}

/** @param own where the app is installed; undefined while Slack does not answer */
export function originOf(
  own: SlackIdentity | undefined,
  { teamId, enterpriseId }: Pick<AuthorizeSourceData<boolean>, 'teamId' | 'enterpriseId'>,
): Origin {
  if (own === undefined) return { whose: 'unknown' };
  return { whose: isOwnInstallation(own, { teamId, enterpriseId }) ? 'own' : 'other' };
}

export interface RefuseOtherInstallationsOptions {
  readonly log: Logger;
  /** Of people of whom nothing is known. */
  readonly language: Language;
  /** Requests that Slack sends again if they fail. */
  readonly isRepeated: (body: object) => boolean;
}

/**
 * Lets only requests through that are for this installation. Ids of people are unique within a workspace or
 * an organisation alone, so the person behind a request of another installation must never be looked up in
 * ours. While Slack does not report where the app is installed, no request gets through.
 *
 * @see https://api.slack.com/types/user (`id` is unique to the workspace that contains the user)
 */
export function refuseOtherInstallations(
  app: App,
  { log, language, isRepeated }: RefuseOtherInstallationsOptions,
): void {
  app.use(async ({ body, context, next, ...args }) => {
    const { whose = 'unknown' } = context as Partial<Origin>;
    if (whose === 'own') return next();
    // Without an acknowledgement Slack sends a message again, and shows people that their click or form
    // failed.
    if (whose === 'unknown' && (isRepeated(body) || ('ack' in args && !('command' in body)))) {
      throw new DoctorError({
        code: 'slack-unavailable',
        message: 'Slack did not return where the app is installed',
        retryable: true,
      });
    }
    log.warn({ whose }, 'a request was refused: it is not known to be for this installation');
    if (!('ack' in args)) return;
    const says = answersText[language][whose === 'other' ? 'other-installation' : 'slack-down']({});
    if ('command' in body) {
      await (args.ack as AckFn<RespondArguments>)({ response_type: 'ephemeral', ...renderNotice(says) });
    } else await (args.ack as AckFn<void>)();
  });
}
