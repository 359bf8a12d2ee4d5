import type { Command } from '../../../core/command/command.js';
import type { Origin } from '../../../core/incident/incident.js';
import { renderUnreadable } from '../render/answers.js';
import { renderChangeChoices, renderChangeNotFound } from '../render/change-request.js';
import { renderNotice } from '../render/notice.js';
import { renderJoined } from '../render/pointer.js';
import type { Asker } from './asker.js';
import type { ListenerDeps } from './deps.js';
import { noteSilence } from './diagnose.js';

/**
 * Asks for a change: the card of the workload then shows its forecast with a Review button, since a forecast takes
 * longer than Slack's trigger for a modal lasts. What the card will not show is answered privately.
 */
export async function askChange(
  deps: ListenerDeps,
  asker: Asker,
  { query, change }: Extract<Command, { readonly type: 'change' }>,
  origin: Pick<Origin, 'via' | 'text'>,
): Promise<void> {
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
    case 'queued': {
      const { incident, joined, card } = requested;
      const link = card === undefined ? undefined : deps.linkTo?.(card, incident.threadTs);
      if (joined) await asker.answer(renderJoined(incident, link, language));
      return noteSilence(deps, asker, incident.workload);
    }
    case 'choices':
      return asker.answer(renderChangeChoices(query, change, requested.workloads, language));
    case 'not-found':
      return asker.answer(renderChangeNotFound(requested, query, language));
    case 'refused':
      return asker.answer(renderNotice(deps.tell(requested.because, language)));
    case 'unreadable':
      return asker.answer(renderUnreadable(requested, query, language));
  }
}
