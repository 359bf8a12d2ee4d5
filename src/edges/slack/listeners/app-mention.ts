import type { App } from '@slack/bolt';
import type { Command } from '../../../doctor/commands/command.js';
import { parseCommand } from '../../../doctor/commands/parse-command.js';
import { queryName, renderUsage } from '../render/answers.js';
import { renderNotice } from '../render/blocks.js';
import { type Asker, askerByMessage } from './asker.js';
import { answerHelp, answerOther, askChange } from './carry-out.js';
import type { ListenerDeps } from './deps.js';
import { diagnose } from './diagnose.js';
import { guarded } from './guarded.js';

const keptText = 200;

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
      return void (await diagnose(deps, asker, command.query, { via: 'mention', text }, command.meant));
    case 'change':
      return void (await askChange(deps, asker, command, { via: 'mention', text }));
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
