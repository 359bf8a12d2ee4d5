import type { App } from '@slack/bolt';
import * as actions from './actions/index.js';
import * as rolloutDoctor from './commands/rollout-doctor.js';
import type { ListenerDeps } from './deps.js';
import * as alertMessage from './events/alert-message.js';
import * as appHomeOpened from './events/app-home-opened.js';
import * as appMention from './events/app-mention.js';
import * as diagnoseThis from './shortcuts/diagnose-this.js';
import * as reviewSubmitted from './views/review-submitted.js';
import * as searchSubmitted from './views/search-submitted.js';

/** Everything the app listens to. */
export function register(app: App, deps: ListenerDeps): void {
  rolloutDoctor.register(app, deps);
  appMention.register(app, deps);
  appHomeOpened.register(app, deps);
  alertMessage.register(app, deps);
  diagnoseThis.register(app, deps);
  actions.register(app, deps);
  reviewSubmitted.register(app, deps);
  searchSubmitted.register(app, deps);
  reviewSubmitted.registerUnknown(app, deps);
}
