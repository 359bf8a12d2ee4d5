import type { App, BlockAction, ButtonAction, UsersSelectAction } from '@slack/bolt';
import type { AssignStep } from '../../../../service/people/assign-incident.js';
import { callSlack } from '../../call-slack.js';
import {
  actionIds,
  HandOverBlock,
  IncidentValue,
  TakeOverValue,
  UserValue,
} from '../../render/action-ids.js';
import { renderAssigned } from '../../render/assignee.js';
import { renderNotice } from '../../render/blocks.js';
import type { Asker } from '../asker.js';
import type { ListenerDeps } from '../deps.js';
import { guarded } from '../guarded.js';
import { publishAfterPress } from '../home.js';
import { askerInPlace, askerOf, buttonValue, type Press, refuse } from './press.js';

const listener = 'actions/assign';

/** Card and Home page show who is on it; only what it does not show is answered. */
export async function assign(deps: ListenerDeps, press: Press): Promise<void> {
  const asker = askerOf(deps, press);
  await guarded(deps, asker, { listener }, async () => {
    const incidentId = await buttonValue(deps, press, IncidentValue);
    if (incidentId !== undefined) await take(deps, press, asker, incidentId, { type: 'take' });
  });
}

async function take(
  deps: ListenerDeps,
  { body }: { body: BlockAction },
  asker: Asker,
  incidentId: string,
  step: AssignStep,
): Promise<void> {
  const { user } = asker;
  const outcome = await deps.assignIncident({ incidentId, by: user, step });
  const isOnHome = body.view?.type === 'home';
  const isDone = outcome.type === 'free' || (outcome.type === 'yours' && outcome.isNew);
  await publishAfterPress(deps, body);
  if (isDone && (step.type === 'take' || isOnHome)) return;
  const language = await deps.people.languageOf(user);
  await asker.answer(renderAssigned(outcome, { tell: deps.tell, language }));
}

export async function diagnoseAgain(deps: ListenerDeps, press: Press): Promise<void> {
  const asker = askerOf(deps, press);
  await guarded(deps, asker, { listener: 'actions/look-again' }, async () => {
    const incidentId = await buttonValue(deps, press, IncidentValue);
    if (incidentId === undefined) return;
    if (await deps.seenBefore(`action.${press.body.trigger_id}`)) return;
    const queued = await deps.diagnoseAgain({ incidentId, by: asker.user });
    await publishAfterPress(deps, press.body);
    if (queued.type === 'queued') return;
    await asker.answer(renderNotice(deps.tell(queued.because, await deps.people.languageOf(asker.user))));
  });
}

/** The buttons of an incident as a whole. */
export function registerIncident(app: App, deps: ListenerDeps): void {
  // Diagnose again: the card itself shows that a diagnosis is under way.
  app.action<BlockAction<ButtonAction>>(actionIds.diagnoseAgain, async ({ ack, ...press }) => {
    await ack();
    await diagnoseAgain(deps, press);
  });
  // I'm on it, and what follows: taking over, handing over and handing back.
  app.action<BlockAction<ButtonAction>>(actionIds.assign, async ({ ack, ...press }) => {
    await ack();
    await assign(deps, press);
  });
  app.action<BlockAction<ButtonAction>>(actionIds.takeOver, async ({ ack, ...press }) => {
    await ack();
    const asker = askerInPlace(deps, press);
    await guarded(deps, asker, { listener }, async () => {
      const value = await buttonValue(deps, press, TakeOverValue);
      if (value === undefined) return;
      await take(deps, press, asker, value.incidentId, { type: 'take-over', from: value.from });
    });
  });
  app.action<BlockAction<ButtonAction>>(actionIds.handBack, async ({ ack, ...press }) => {
    await ack();
    const asker = askerInPlace(deps, press);
    await guarded(deps, asker, { listener }, async () => {
      const incidentId = await buttonValue(deps, press, IncidentValue);
      if (incidentId !== undefined) await take(deps, press, asker, incidentId, { type: 'hand-back' });
    });
  });
  app.action<BlockAction<UsersSelectAction>>(actionIds.handOver, async ({ ack, body, action, respond }) => {
    await ack();
    const { block_id, selected_user } = action;
    const asker = askerInPlace(deps, { body, respond });
    await guarded(deps, asker, { listener }, async () => {
      const incidentId = HandOverBlock.safeParse(block_id).data;
      const to = UserValue.safeParse(selected_user).data;
      if (incidentId === undefined || to === undefined) {
        return refuse(deps, asker, actionIds.handOver, 'a choice of a person was refused');
      }
      await take(deps, { body }, asker, incidentId, { type: 'hand-over', to });
    });
  });
  // Share: the channel gets the card of a result that one person sees, and the private message goes.
  app.action<BlockAction<ButtonAction>>(actionIds.share, async ({ ack, ...press }) => {
    await ack();
    const asker = askerOf(deps, press);
    await guarded(deps, asker, { listener: 'actions/share' }, async () => {
      const incidentId = await buttonValue(deps, press, IncidentValue);
      if (incidentId === undefined) return;
      const outcome = await deps.shareResult({ incidentId, by: asker.user });
      if (outcome.type === 'shared')
        return void (await callSlack(() => press.respond({ delete_original: true })));
      await asker.answer(renderNotice(deps.tell(outcome.because, await deps.people.languageOf(asker.user))));
    });
  });
}
