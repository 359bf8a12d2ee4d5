import { setTimeout } from 'node:timers/promises';
import type { Language } from '../../../engine/language/language.js';
import type { ListenerDeps } from './deps.js';

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
