import type { App } from '@slack/bolt';
import type { ListenerDeps } from '../deps.js';
import { publishHome } from '../publish-home.js';

/** The Home page is made anew whenever somebody opens it. */
export function register(app: App, deps: ListenerDeps): void {
  app.event('app_home_opened', async ({ event }) => {
    if (event.tab === 'home') await publishHome(deps, event.user);
  });
}
