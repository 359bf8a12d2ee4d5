import type { App } from '@slack/bolt';
import { linkActionPrefix } from '../../render/action-ids.js';

/** Buttons that open an address: the browser has done the work, Slack only wants to be answered. */
export function register(app: App): void {
  app.action(new RegExp(`^${linkActionPrefix.replace('.', '\\.')}`), async ({ ack }) => {
    await ack();
  });
}
