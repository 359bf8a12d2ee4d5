import type { App } from '@slack/bolt';
import type { Command } from '../../../../core/command/command.js';
import { parseCommand } from '../../../../core/command/parse-command.js';
import type { Language } from '../../../../core/language/language.js';
import { queryName, renderDiagnosing, renderUsage } from '../../render/answers.js';
import { renderForecasting } from '../../render/change-request.js';
import type { Message } from '../../render/message.js';
import { askerByResponse } from '../asker.js';
import { carryOut } from '../carry-out.js';
import type { ListenerDeps } from '../deps.js';
import { guarded } from '../guarded.js';
import { languageSoon } from '../language-soon.js';
import { isWired, notWired } from '../other-requests.js';

const keptText = 200;

/** `/rollout-doctor`: acknowledged with what is about to happen, before anything else is asked or stored. */
export function register(app: App, deps: ListenerDeps): void {
  app.command('/rollout-doctor', async ({ ack, command: slash, respond }) => {
    const command = parseCommand(slash.text ?? '');
    const first = acknowledgement(deps, command, await languageSoon(deps, slash.user_id));
    await ack(first === undefined ? undefined : { response_type: 'ephemeral', ...first });

    const asker = askerByResponse({ user: slash.user_id, channel: slash.channel_id }, respond);
    const attempted = {
      listener: 'commands/rollout-doctor',
      ...(command.type === 'diagnose' || command.type === 'change'
        ? { workload: queryName(command.query) }
        : {}),
    };
    await guarded(deps, asker, attempted, async () => {
      if (!needsWork(deps, command)) return;
      if (await deps.seenBefore(`command.${slash.trigger_id}`)) return;
      await carryOut(deps, asker, command, { via: 'command', text: (slash.text ?? '').slice(0, keptText) });
    });
  });
}

type Work = Exclude<Command, { readonly type: 'usage' }>;

function needsWork(deps: ListenerDeps, command: Command): command is Work {
  switch (command.type) {
    case 'usage':
      return false;
    case 'bare':
    case 'help':
    case 'diagnose':
    case 'change':
      return true;
    default:
      return isWired(deps, command);
  }
}

/** What can be said without asking anybody. */
function acknowledgement(deps: ListenerDeps, command: Command, language: Language): Message | undefined {
  switch (command.type) {
    case 'diagnose':
      return renderDiagnosing(command.query, language);
    case 'change':
      return renderForecasting(command, language);
    case 'bare':
    case 'help':
      return undefined;
    case 'usage':
      return renderUsage(command.problem, language);
    default:
      return isWired(deps, command) ? undefined : notWired(command, language);
  }
}
