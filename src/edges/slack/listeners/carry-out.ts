import type { Command, NamedWorkload } from '../../../doctor/commands/command.js';
import type { RequestedChange } from '../../../doctor/fixes/requested-change.js';
import type { Incident, Origin } from '../../../doctor/incidents/incident.js';
import { mayBePrivate } from '../../../doctor/incidents/visible-incident.js';
import type { Language } from '../../../engine/language/language.js';
import type { WorkloadRef } from '../../../engine/objects/workload.js';
import type { DiagnosisRequested } from '../../../service/people/conversation.js';
import {
  answersText,
  queryName,
  renderChoices,
  renderHelp,
  renderNotFound,
  renderUnreadable,
  renderUsage,
} from '../render/answers.js';
import { renderNotice } from '../render/blocks.js';
import { renderChangeChoices, renderChangeNotFound } from '../render/change-request.js';
import type { Message } from '../render/message.js';
import { renderJoined } from '../render/pointer.js';
import { renderSilenceNote } from '../render/silences.js';
import { type Asker, answered } from './asker.js';
import type { ListenerDeps, OtherRequest } from './deps.js';

/** A workload, the change to forecast, and another request that the text resembles. */
interface DiagnosisAsked {
  readonly query: NamedWorkload;
  readonly change?: RequestedChange;
  readonly meant?: string;
}

/**
 * Does what was asked for where the asker is, as a typed command or a button that stands for one.
 *
 * @returns the incident whose card or result is the answer; nothing when the asker was answered
 */
export async function carryOut(
  deps: ListenerDeps,
  asker: Asker,
  command: Command,
  origin: Pick<Origin, 'via' | 'text'>,
): Promise<Incident | undefined> {
  switch (command.type) {
    case 'diagnose':
    case 'change':
      if (await deps.isInChannel(asker.channel)) {
        return diagnose(deps, asker, command, origin);
      }
      await asker.answer(
        renderNotice(answersText[await deps.people.languageOf(asker.user)]['not-in-channel']()),
      );
      return undefined;
    case 'bare':
    case 'help':
      await answerHelp(deps, asker);
      return undefined;
    case 'usage':
      await asker.answer(renderUsage(command.problem, await deps.people.languageOf(asker.user)));
      return undefined;
    default:
      await answerOther(deps, asker, command);
      return undefined;
  }
}

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

/**
 * Asks for a diagnosis and answers privately what the card will not say: that it could not be found, that
 * several are meant, that the incident is open already. The card itself comes through delivery. For a change,
 * the card shows its forecast with a Review button, since a forecast takes longer than Slack's trigger for a
 * modal lasts.
 *
 * @returns the incident, when its card or result is the answer
 */
export async function diagnose(
  deps: ListenerDeps,
  asker: Asker,
  { query, change, meant }: DiagnosisAsked,
  origin: Pick<Origin, 'via' | 'text'>,
): Promise<Incident | undefined> {
  const { user, channel, threadTs } = asker;
  const requested = await deps.requestDiagnosis({
    query,
    ...(change === undefined ? {} : { change }),
    origin: { ...origin, by: user },
    channel,
    language: deps.languageOfChannel(channel),
    ...(threadTs === undefined ? {} : { threadTs }),
  });
  if (requested.type === 'queued') return answerQueued(deps, asker, requested, change !== undefined);
  const language = await deps.people.languageOf(user);
  switch (requested.type) {
    case 'choices':
      await asker.answer(
        change === undefined
          ? renderChoices(queryName(query), requested.workloads, language)
          : renderChangeChoices(query, change, requested.workloads, language),
      );
      return undefined;
    case 'not-found':
      await asker.answer(
        change === undefined
          ? renderNotFound(requested, query, language, meant)
          : renderChangeNotFound(requested, query, language),
      );
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
async function answerQueued(
  deps: ListenerDeps,
  asker: Asker,
  { incident, joined, card }: Extract<DiagnosisRequested, { readonly type: 'queued' }>,
  isChange: boolean,
): Promise<Incident | undefined> {
  // Without a card there is nothing to refer to: the result comes to this person.
  const hasPointer = joined && (card !== undefined || !mayBePrivate(incident));
  if (hasPointer) {
    const link = card === undefined ? undefined : deps.linkTo?.(card, incident.threadTs);
    await asker.answer(renderJoined(incident, link, await deps.people.languageOf(asker.user), isChange));
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
