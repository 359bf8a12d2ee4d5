import type { App } from '@slack/bolt';
import { callSlack } from '../../call-slack.js';
import { renderHomeFailure } from '../../render/home.js';
import type { ListenerDeps } from '../deps.js';
import { failureProse } from '../guarded.js';

/** The Home page is made anew whenever somebody opens it; what fails is said there, since there is no other place. */
export function register(app: App, deps: ListenerDeps): void {
  app.event('app_home_opened', async ({ event }) => {
    if (event.tab !== 'home') return;
    const { user } = event;
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
  });
}
