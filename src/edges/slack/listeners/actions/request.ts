import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import type { Command } from '../../../../doctor/commands/command.js';
import { parseCommand } from '../../../../doctor/commands/parse-command.js';
import type { Language } from '../../../../engine/language/language.js';
import { callSlack } from '../../call-slack.js';
import { actionIds, RequestValue, WorkloadValue } from '../../render/action-ids.js';
import { answersText, queryName, renderDiagnosing } from '../../render/answers.js';
import { renderNotice } from '../../render/blocks.js';
import type { Message } from '../../render/message.js';
import { type Asker, languageSoon } from '../asker.js';
import { carryOut, diagnose } from '../carry-out.js';
import type { ListenerDeps } from '../deps.js';
import { guarded } from '../guarded.js';
import { publishAfterPress } from '../home.js';
import { askerInPlace, askerOf, buttonValue, type Press } from './press.js';

/** Buttons that stand for something typed. */
export function registerRequest(app: App, deps: ListenerDeps): void {
  // Buttons that stand for a typed request: the answer takes the place of the choices, or comes beside the
  // message.
  app.action<BlockAction<ButtonAction>>(numbered(actionIds.makeRequest), async ({ ack, ...press }) => {
    await ack();
    await makeRequest(deps, press);
  });
  app.action<BlockAction<ButtonAction>>(numbered(actionIds.chooseRequest), async ({ ack, ...press }) => {
    await ack();
    await make(deps, press, askerInPlace(deps, press));
  });
  // One of several names was meant: the choices give way to the diagnosis.
  app.action<BlockAction<ButtonAction>>(numbered(actionIds.chooseWorkload), async ({ ack, ...press }) => {
    await ack();
    const asker = askerOf(deps, press);
    const { user } = asker;
    await guarded(deps, asker, { listener: 'actions/choose-workload' }, async () => {
      const query = await buttonValue(deps, press, WorkloadValue);
      if (query === undefined) return;
      if (await deps.seenBefore(`action.${press.body.trigger_id}`)) return;
      const message = renderDiagnosing(query, await languageSoon(deps, user));
      await callSlack(() => press.respond({ replace_original: true, ...message }));
      await diagnose(deps, asker, { query }, { via: 'command', text: queryName(query) });
    });
  });
}

/** Carries out what the button's value says, as if it was typed; the answer comes beside the message. */
export async function makeRequest(deps: ListenerDeps, press: Press): Promise<void> {
  await make(deps, press, askerOf(deps, press));
}

const keptText = 200;

async function make(deps: ListenerDeps, press: Press, asker: Asker): Promise<void> {
  await guarded(deps, asker, { listener: 'actions/request' }, async () => {
    const text = await buttonValue(deps, press, RequestValue);
    if (text === undefined) return;
    if (await deps.seenBefore(`action.${press.body.trigger_id}`)) return;
    const command = parseCommand(text);
    const { view } = press.body;
    // The trigger of a modal lasts three seconds, and an answer may take longer.
    if (view !== undefined) await asker.answer(firstAnswer(command, deps.people.cachedLanguage(asker.user)));
    await carryOut(deps, asker, command, { via: 'command', text: text.slice(0, keptText) });
    await publishAfterPress(deps, press.body);
  });
}

function firstAnswer(command: Command, language: Language): Message {
  return command.type === 'diagnose'
    ? renderDiagnosing(command.query, language)
    : renderNotice(answersText[language].working());
}

function numbered(id: string): RegExp {
  return new RegExp(`^${id.replace('.', '\\.')}\\.\\d+$`);
}
