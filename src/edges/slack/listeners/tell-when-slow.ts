import { setTimeout } from 'node:timers/promises';
import type { Incident } from '../../../doctor/incidents/incident.js';
import type { Language } from '../../../engine/language/language.js';
import type { Message } from '../render/message.js';
import { type Asker, answered } from './asker.js';
import type { ListenerDeps } from './deps.js';
import { languageSoon } from './language-soon.js';

/** How long a person waits for an answer before a message says that it is under way. */
const maxQuietMs = 5_000;

/**
 * Says that a slash command takes long when no answer came for some seconds. Slack neither changes nor
 * deletes the answer to a slash command (slackapi/bolt-js#2287), so it stays beside the card.
 *
 * @param work ends with the incident whose card or result is the answer; with nothing once the person was
 *   answered
 * @throws what `work` throws
 */
export async function tellWhenSlow(
  deps: Pick<ListenerDeps, 'people' | 'isShown'>,
  asker: Asker,
  slow: (language: Language) => Message,
  work: Promise<Incident | undefined>,
): Promise<void> {
  const moment = new AbortController();
  const quiet = setTimeout(maxQuietMs, 'late' as const, { signal: moment.signal });
  quiet.catch(() => undefined);
  try {
    const first = await Promise.race([work, quiet]);
    if (first === undefined) return;
    if (first !== 'late') {
      await quiet;
      if (await deps.isShown(first, asker.user).catch(() => false)) return;
    }
    await answered(asker, slow(await languageSoon(deps, asker.user)));
    await work;
  } finally {
    moment.abort();
  }
}
