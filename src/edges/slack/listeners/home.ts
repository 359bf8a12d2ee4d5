import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { callSlack } from '../call-slack.js';
import { actionIds } from '../render/action-ids.js';
import { renderHomeFailure } from '../render/home.js';
import { renderSearch } from '../render/search.js';
import type { ListenerDeps } from './deps.js';
import { failureProse } from './guarded.js';

/** Makes somebody's Home page anew; what fails is stated there, since there is no other place. */
async function publishHome(deps: ListenerDeps, user: string): Promise<void> {
  const language = await deps.people.languageOf(user);
  const { blocks } = await deps.homePage({ user, language }).catch((error: unknown) => {
    const listener = 'events/app-home-opened';
    return renderHomeFailure(failureProse(deps, error, { listener }, language), language);
  });
  const published = await callSlack(() =>
    deps.client.views.publish({ user_id: user, view: { type: 'home', blocks } }),
  );
  if (published.type === 'answered') return;
  const error = 'error' in published ? published.error : published.type;
  deps.log.warn({ error, user }, 'a Home page could not be published');
}

/** After a press on the Home page, or in a modal that it opened: the page then shows what was done. */
export async function publishAfterPress(
  deps: ListenerDeps,
  { user, view }: { user: { readonly id: string }; view?: object | undefined },
): Promise<void> {
  if (view !== undefined) await publishHome(deps, user.id);
}

/** The Home page and the buttons on top of it. */
export function registerHome(app: App, deps: ListenerDeps): void {
  // The Home page is made anew whenever somebody opens it.
  app.event('app_home_opened', async ({ event }) => {
    if (event.tab === 'home') await publishHome(deps, event.user);
  });
  // The buttons on top of the Home page.
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
