import type { AckFn, App, RespondArguments, SlashCommand } from '@slack/bolt';
import type { Command } from '../../../../doctor/commands/command.js';
import { parseCommand } from '../../../../doctor/commands/parse-command.js';
import type { Incident } from '../../../../doctor/incidents/incident.js';
import { queryName, renderSlow, renderUsage } from '../../render/answers.js';
import { type Asker, askerByResponse } from '../asker.js';
import { carryOut } from '../carry-out.js';
import type { ListenerDeps } from '../deps.js';
import { guarded } from '../guarded.js';
import { languageSoon } from '../language-soon.js';
import { tellWhenSlow } from '../tell-when-slow.js';

const keptText = 200;

/** `/rollout-doctor`: acknowledged before anything else is asked or stored. */
export function register(app: App, deps: ListenerDeps): void {
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
