import type { NamedWorkload } from '../../../doctor/commands/command.js';
import type { Incident, Origin } from '../../../doctor/incidents/incident.js';
import { mayBePrivate } from '../../../doctor/incidents/visible-incident.js';
import type { WorkloadRef } from '../../../engine/objects/workload.js';
import type { DiagnosisRequested } from '../../../service/people/conversation.js';
import { queryName, renderChoices, renderNotFound, renderUnreadable } from '../render/answers.js';
import { renderNotice } from '../render/blocks.js';
import { renderJoined } from '../render/pointer.js';
import { renderSilenceNote } from '../render/silences.js';
import { type Asker, answered } from './asker.js';
import type { ListenerDeps } from './deps.js';

/**
 * Asks for a diagnosis and answers privately what the card will not say: that it could not be found, that
 * several are meant, that the incident is open already. The card itself comes through delivery.
 *
 * @param meant another request that the text resembles
 * @returns the incident, when its card or result is the answer
 */
export async function diagnose(
  deps: ListenerDeps,
  asker: Asker,
  query: NamedWorkload,
  origin: Pick<Origin, 'via' | 'text'>,
  meant?: string,
): Promise<Incident | undefined> {
  const { user, channel, threadTs } = asker;
  const requested = await deps.requestDiagnosis({
    query,
    origin: { ...origin, by: user },
    channel,
    language: deps.languageOfChannel(channel),
    ...(threadTs === undefined ? {} : { threadTs }),
  });
  if (requested.type === 'queued') {
    return answerQueued(deps, asker, requested);
  }
  const language = await deps.people.languageOf(user);
  switch (requested.type) {
    case 'choices':
      await asker.answer(renderChoices(queryName(query), requested.workloads, language));
      return undefined;
    case 'not-found':
      await asker.answer(renderNotFound(requested, query, language, meant));
      return undefined;
    case 'refused':
      await asker.answer(renderNotice(deps.tell(requested.because, language)));
      return undefined;
    case 'unreadable':
      await asker.answer(renderUnreadable(requested, query, language));
  }
  return undefined;
}

/**
 * Refers to the card of an open incident, and says that alerts are silenced.
 *
 * @returns the incident, when its card or result is the answer
 */
export async function answerQueued(
  deps: ListenerDeps,
  asker: Asker,
  { incident, joined, card }: Extract<DiagnosisRequested, { readonly type: 'queued' }>,
): Promise<Incident | undefined> {
  // Without a card there is nothing to refer to: the result comes to this person.
  const hasPointer = joined && (card !== undefined || !mayBePrivate(incident));
  if (hasPointer) {
    const link = card === undefined ? undefined : deps.linkTo?.(card, incident.threadTs);
    await asker.answer(renderJoined(incident, link, await deps.people.languageOf(asker.user)));
  }
  await noteSilence(deps, asker, incident.workload);
  return hasPointer ? undefined : incident;
}

/** Says that alerts about the workload are silenced. The answer to the person does not wait for this note. */
async function noteSilence(deps: ListenerDeps, asker: Asker, workload: WorkloadRef): Promise<void> {
  const silence = await deps.silenceOf(workload).catch(() => undefined);
  if (silence === undefined) return;
  await answered(asker, renderSilenceNote(silence, await deps.people.languageOf(asker.user)));
}
