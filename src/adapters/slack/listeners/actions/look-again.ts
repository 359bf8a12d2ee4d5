import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { actionIds, IncidentValue } from '../../render/action-ids.js';
import { renderNotice } from '../../render/notice.js';
import type { ListenerDeps } from '../deps.js';
import { guarded } from '../guarded.js';
import { askerOf, buttonValue } from './press.js';

/** Look again: the card shows by itself that a look is under way. */
export function register(app: App, deps: ListenerDeps): void {
  app.action<BlockAction<ButtonAction>>(actionIds.lookAgain, async ({ ack, ...press }) => {
    await ack();
    const asker = askerOf(press);
    await guarded(deps, asker, { listener: 'actions/look-again' }, async () => {
      const incidentId = await buttonValue(deps, press, IncidentValue);
      if (incidentId === undefined) return;
      if (await deps.seenBefore(`action.${press.body.trigger_id}`)) return;
      const looked = await deps.lookAgain({ incidentId, by: asker.user });
      if (looked.type === 'queued') return;
      await asker.answer(renderNotice(deps.tell(looked.because, await deps.people.languageOf(asker.user))));
    });
  });
}
