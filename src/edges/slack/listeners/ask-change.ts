import type { Command } from '../../../doctor/commands/command.js';
import type { Incident, Origin } from '../../../doctor/incidents/incident.js';
import { renderUnreadable } from '../render/answers.js';
import { renderChangeChoices, renderChangeNotFound } from '../render/change-request.js';
import { renderNotice } from '../render/notice.js';
import type { Asker } from './asker.js';
import type { ListenerDeps } from './deps.js';
import { answerQueued } from './diagnose.js';

/**
 * Asks for a change: the card of the workload then shows its forecast with a Review button, since a forecast
 * takes longer than Slack's trigger for a modal lasts. What the card will not show is answered privately.
 *
 * @returns the incident, when its card is the answer
 */
export async function askChange(
  deps: ListenerDeps,
  asker: Asker,
  { query, change }: Extract<Command, { readonly type: 'change' }>,
  origin: Pick<Origin, 'via' | 'text'>,
): Promise<Incident | undefined> {
  const { user, channel, threadTs } = asker;
  const requested = await deps.requestDiagnosis({
    query,
    change,
    origin: { ...origin, by: user },
    channel,
    language: deps.languageOfChannel(channel),
    ...(threadTs === undefined ? {} : { threadTs }),
  });
  const language = await deps.people.languageOf(user);
  switch (requested.type) {
    case 'queued':
      return answerQueued(deps, asker, requested);
    case 'choices':
      await asker.answer(renderChangeChoices(query, change, requested.workloads, language));
      return undefined;
    case 'not-found':
      await asker.answer(renderChangeNotFound(requested, query, language));
      return undefined;
    case 'refused':
      await asker.answer(renderNotice(deps.tell(requested.because, language)));
      return undefined;
    case 'unreadable':
      await asker.answer(renderUnreadable(requested, query, language));
      return undefined;
  }
}
