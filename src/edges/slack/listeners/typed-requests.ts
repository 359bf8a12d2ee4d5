import { setTimeout } from 'node:timers/promises';
import type { AckFn, App, RespondArguments, SlashCommand } from '@slack/bolt';
import type { Command } from '../../../doctor/commands/command.js';
import { parseCommand } from '../../../doctor/commands/parse-command.js';
import type { Incident } from '../../../doctor/incidents/incident.js';
import type { Language } from '../../../engine/language/language.js';
import { queryName, renderSlow, renderUsage } from '../render/answers.js';
import { renderNotice } from '../render/blocks.js';
import type { Message } from '../render/message.js';
import { type Asker, answered, askerByMessage, askerByResponse, languageSoon } from './asker.js';
import { answerHelp, answerOther, carryOut, diagnose } from './carry-out.js';
import type { ListenerDeps } from './deps.js';
import { guarded } from './guarded.js';

const keptText = 200;

/** `/rollout-doctor`: acknowledged before anything else is asked or stored. */
export function registerRolloutDoctor(app: App, deps: ListenerDeps): void {
  app.command('/rollout-doctor', async ({ ack, command: slash, respond }) => {
    const command = parseCommand(slash.text ?? '');
    await acknowledge(deps, slash.user_id, command, ack);

    const asker = askerByResponse({ user: slash.user_id, channel: slash.channel_id }, respond);
    const attempted = {
      listener: 'commands/rollout-doctor',
      ...(command.type === 'diagnose' || command.type === 'change'
        ? { workload: queryName(command.query) }
        : {}),
    };
    await guarded(deps, asker, attempted, async () => {
      if (command.type === 'usage') return;
      const work = carryOutOnce(deps, asker, command, slash);
      await (command.type === 'diagnose' || command.type === 'change'
        ? tellWhenSlow(deps, asker, (language) => renderSlow(command.query, language), work)
        : work);
    });
  });
}

async function carryOutOnce(
  deps: ListenerDeps,
  asker: Asker,
  command: Work,
  { trigger_id, text }: Pick<SlashCommand, 'trigger_id' | 'text'>,
): Promise<Incident | undefined> {
  if (await deps.seenBefore(`command.${trigger_id}`)) return undefined;
  return carryOut(deps, asker, command, { via: 'command', text: (text ?? '').slice(0, keptText) });
}

type Work = Exclude<Command, { readonly type: 'usage' }>;

/** With what is wrong about the command; with nothing where an answer follows. */
async function acknowledge(
  deps: ListenerDeps,
  user: string,
  command: Command,
  ack: AckFn<RespondArguments>,
): Promise<void> {
  if (command.type !== 'usage') return ack();
  const language = await languageSoon(deps, user);
  await ack({ response_type: 'ephemeral', ...renderUsage(command.problem, language) });
}

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
async function tellWhenSlow(
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

/**
 * `@rollout-doctor …`: answered in its thread; without a name in an incident's thread it means another
 * diagnosis.
 */
export function registerAppMention(app: App, deps: ListenerDeps): void {
  app.event('app_mention', async ({ event, body }) => {
    if (event.user === undefined || event.bot_id !== undefined) return;
    const threadTs = event.thread_ts ?? event.ts;
    const isThread = event.thread_ts !== undefined;
    const asker = askerByMessage(
      { user: event.user, channel: event.channel, threadTs, isThread },
      deps.client,
    );
    const command = parseCommand(event.text);
    const attempted = {
      listener: 'events/app-mention',
      ...(command.type === 'diagnose' || command.type === 'change'
        ? { workload: queryName(command.query) }
        : {}),
    };
    await guarded(deps, asker, attempted, async () => {
      if (await deps.seenBefore(`event.${body.event_id}`)) return;
      await answer(deps, asker, command, event.text.slice(0, keptText), event.thread_ts);
    });
  });
}

async function answer(
  deps: ListenerDeps,
  asker: Asker,
  command: Command,
  text: string,
  threadTs: string | undefined,
): Promise<void> {
  switch (command.type) {
    case 'diagnose':
    case 'change':
      return void (await diagnose(deps, asker, command, { via: 'mention', text }));
    case 'bare':
      return diagnoseThreadAgain(deps, asker, threadTs);
    case 'help':
      return answerHelp(deps, asker);
    case 'usage':
      return asker.answer(renderUsage(command.problem, await deps.people.languageOf(asker.user)));
    default:
      return answerOther(deps, asker, command);
  }
}

async function diagnoseThreadAgain(
  deps: ListenerDeps,
  asker: Asker,
  threadTs: string | undefined,
): Promise<void> {
  const incidentId =
    threadTs === undefined ? undefined : await deps.incidentInThread(asker.channel, threadTs);
  if (incidentId === undefined) return answerHelp(deps, asker);
  const looked = await deps.diagnoseAgain({ incidentId, by: asker.user });
  if (looked.type === 'queued') return;
  await asker.answer(renderNotice(deps.tell(looked.because, await deps.people.languageOf(asker.user))));
}
