import { renderHelp } from '../render/answers.js';
import type { Asker } from './asker.js';
import type { ListenerDeps } from './deps.js';

/**
 * Shows what can be asked, and the clusters that the asker may see. Help does not wait for a Slack that is
 * away.
 */
export async function answerHelp(deps: ListenerDeps, asker: Asker): Promise<void> {
  const clusters = await deps.clustersFor(asker.user).catch(() => []);
  await asker.answer(renderHelp(await deps.people.languageOf(asker.user), clusters));
}
