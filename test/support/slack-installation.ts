import type { WebClient } from '@slack/web-api';
import { createSlackIdentity } from '#src/edges/slack/slack-identity.js';
import { createReadWorkspaces } from '#src/edges/slack/slack-workspaces.js';
import type { Clock } from '#src/service/records/process-ports.js';

/** Where the app is installed, as Slack answers, with the client that asks. */
export function installationOf(client: WebClient, clock: Clock) {
  const identity = createSlackIdentity(client);
  return { client, clock, identity, workspaces: createReadWorkspaces({ client, clock, identity }) };
}
