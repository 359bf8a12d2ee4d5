import { randomUUID } from 'node:crypto';
import type { Language } from '../../../engine/language/language.js';
import type { Prose } from '../../../engine/language/prose.js';
import { DoctorError } from '../../../service/errors.js';
import { notice } from '../../../service/notices/notices.js';
import { answersText } from '../render/answers.js';
import { renderNotice } from '../render/blocks.js';
import { type Asker, answered } from './asker.js';
import type { ListenerDeps } from './deps.js';

interface Attempted {
  /** For the log: which listener. */
  readonly listener: string;
  /** The workload it was about, as it was named. */
  readonly workload?: string;
  /** It writes a decision: when the store does not answer, the decision may still have been written. */
  readonly decides?: boolean;
}

/**
 * Runs what follows the acknowledgement. Whatever is thrown becomes a private answer that says what was not
 * done, and a log line with a static message; nobody waits for nothing.
 */
export async function guarded(
  deps: ListenerDeps,
  asker: Asker,
  attempted: Attempted,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    const language = deps.people.cachedLanguage(asker.user);
    const says = failureProse(deps, error, attempted, language);
    if (!(await answered(asker, renderNotice(says)))) {
      deps.log.warn({ listener: attempted.listener, user: asker.user }, 'a failure could not be told');
    }
  }
}

/** Logs the failure and gives the words for it. */
export function failureProse(
  { log, tell }: ListenerDeps,
  error: unknown,
  { listener, workload, decides = false }: Attempted,
  language: Language,
): Prose {
  const reference = randomUUID().slice(0, 8);
  log.error({ err: error, listener, reference }, 'a request from Slack failed');
  const text = answersText[language];
  const isUnknown = !(error instanceof DoctorError) || !error.code.startsWith('slack-');
  if (decides && isUnknown) return text['decision-unknown']();
  if (!(error instanceof DoctorError)) return text['failed-inside']({ reference });
  if (error.tells !== undefined) return tell(error.tells, language);
  switch (error.code) {
    case 'redis-unavailable':
      return workload === undefined
        ? text['redis-down']()
        : tell(notice('cannot-queue', { workload }), language);
    case 'slack-unavailable':
    case 'slack-throttled':
      return text['slack-down']();
    default:
      return text['failed-inside']({ reference });
  }
}
