import type { Language } from '../../../engine/language/language.js';
import { renderHelp } from '../render/answers.js';
import type { Message } from '../render/message.js';
import type { Asker } from './asker.js';
import type { ListenerDeps, OtherRequest } from './deps.js';

/** Answers a request that is not a diagnosis. */
export async function answerOther(deps: ListenerDeps, asker: Asker, request: OtherRequest): Promise<void> {
  const language = await deps.people.languageOf(asker.user);
  await asker.answer(await ask(deps, asker, request, language));
}

async function ask(
  { others }: ListenerDeps,
  { user, channel, threadTs }: Asker,
  request: OtherRequest,
  language: Language,
): Promise<Message> {
  const asker = { user, channel, threadTs, language };
  switch (request.type) {
    case 'explain':
      return others.explain(request, asker);
    case 'scan':
      return others.scan(request, asker);
    case 'incidents':
      return others.incidents(request, asker);
    case 'history':
      return others.history(request, asker);
    case 'audit':
      return others.audit(request, asker);
    case 'silence':
      return others.silence(request, asker);
    case 'unsilence':
      return others.unsilence(request, asker);
    case 'silences':
      return others.silences(request, asker);
    case 'changes':
      return others.changes(request, asker);
    case 'stop-changes':
      return others['stop-changes'](request, asker);
    case 'allow-changes':
      return others['allow-changes'](request, asker);
  }
}

/**
 * Shows what can be asked, and the clusters that the asker may see. Help does not wait for a Slack that is
 * away.
 */
export async function answerHelp(deps: ListenerDeps, asker: Asker): Promise<void> {
  const clusters = await deps.clustersFor(asker.user).catch(() => []);
  await asker.answer(renderHelp(await deps.people.languageOf(asker.user), clusters));
}
