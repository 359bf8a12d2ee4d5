import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { actionIds, IncidentValue } from '../../render/action-ids.js';
import { renderNotice } from '../../render/notice.js';
import type { ListenerDeps } from '../deps.js';
import { guarded } from '../guarded.js';
import { publishAfterPress } from '../publish-home.js';
import { askerOf, buttonValue, type Press } from './press.js';

/** Diagnose again: the card itself shows that a diagnosis is under way. */
export function register(app: App, deps: ListenerDeps): void {
  app.action<BlockAction<ButtonAction>>(actionIds.diagnoseAgain, async ({ ack, ...press }) => {
    await ack();
    await diagnoseAgain(deps, press);
  });
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
