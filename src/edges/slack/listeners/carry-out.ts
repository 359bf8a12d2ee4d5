import type { Command } from '../../../doctor/commands/command.js';
import type { Incident, Origin } from '../../../doctor/incidents/incident.js';
import type { Language } from '../../../engine/language/language.js';
import { answersText, renderHelp, renderUnreadable, renderUsage } from '../render/answers.js';
import { renderNotice } from '../render/blocks.js';
import { renderChangeChoices, renderChangeNotFound } from '../render/change-request.js';
import type { Message } from '../render/message.js';
import type { Asker } from './asker.js';
import type { ListenerDeps, OtherRequest } from './deps.js';
import { answerQueued, diagnose } from './diagnose.js';

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
        return command.type === 'diagnose'
          ? diagnose(deps, asker, command.query, origin, command.meant)
          : askChange(deps, asker, command, origin);
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
