import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { callSlack } from '../../call-slack.js';
import { actionIds, IncidentValue } from '../../render/action-ids.js';
import { renderNotice } from '../../render/notice.js';
import type { ListenerDeps } from '../deps.js';
import { guarded } from '../guarded.js';
import { askerOf, buttonValue } from './press.js';

/** Share: the channel gets the card of a result that one person sees, and the private message goes. */
export function register(app: App, deps: ListenerDeps): void {
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
