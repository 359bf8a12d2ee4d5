import type { AppIdentity } from './app-identity.js';
import type { Dispatch } from './delivery/delivery.js';
import type { Events } from './delivery/events.js';
import type { ResponseUrls } from './delivery/response-urls.js';
import type { Triggers } from './delivery/triggers.js';
import type { CallLog } from './web-api/call-log.js';
import type { Faults } from './web-api/faults.js';
import type { Workspace } from './workspace/workspace.js';

/** What all parts of the local Slack share. */
export interface Desk {
  readonly workspace: Workspace;
  readonly app: AppIdentity;
  /** Milliseconds since 1970, by the injected clock. */
  readonly now: () => number;
  /** `http://127.0.0.1:<port>`. */
  readonly origin: () => string;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly dispatch: Dispatch;
  readonly events: Events;
  readonly faults: Faults;
  readonly calls: CallLog;
  /** How the app is reached at the moment, in words; `undefined` while it is not. */
  readonly connection: () => string | undefined;
  /** A single-use address for the next Socket Mode connection. */
  readonly openSocket: () => string;
}
