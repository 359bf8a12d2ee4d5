import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { callSlack } from '../../call-slack.js';
import { actionIds } from '../../render/action-ids.js';
import { renderSearch } from '../../render/search.js';
import type { ListenerDeps } from '../deps.js';
import { publishHome } from '../publish-home.js';

/** The buttons on top of the Home page. */
export function register(app: App, deps: ListenerDeps): void {
  app.action<BlockAction<ButtonAction>>(actionIds.refresh, async ({ ack, body }) => {
    await ack();
    await publishHome(deps, body.user.id);
  });
  app.action<BlockAction<ButtonAction>>(actionIds.search, async ({ ack, body, action }) => {
    await ack();
    const view = renderSearch(deps.people.cachedLanguage(body.user.id), action.value);
    const opened = await callSlack(() => deps.client.views.open({ trigger_id: body.trigger_id, view }));
    if (opened.type === 'answered') return;
    deps.log.warn({ error: 'error' in opened ? opened.error : opened.type }, 'a search could not be opened');
  });
}
