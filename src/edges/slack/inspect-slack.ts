import { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { type Inspected, inspected } from '../../service/inspect/inspection.js';
import { settingProblem } from '../../service/inspect/setting-problem.js';
import { callSlack, type SlackAnswer, type SlackFailure } from './call-slack.js';
import { webClientOptions } from './clients.js';
import { badTokens } from './slack-identity.js';
import { listWorkspaces } from './slack-workspaces.js';
import { reportGroups } from './user-groups.js';

/** As in the app's manifest; docs/slack-app.md says what each is for. */
export const neededScopes = [
  'app_mentions:read',
  'channels:history',
  'channels:read',
  'chat:write',
  'commands',
  'groups:history',
  'groups:read',
  'usergroups:read',
  'users:read',
] as const;

/** What the app does without, and what is left out then: docs/slack-app.md. */
const withoutScope = {
  'files:write': 'slack-no-images',
  'reactions:write': 'slack-no-reactions',
  'users:read.email': 'slack-no-emails',
} as const;
export const optionalScopes = ['files:write', 'reactions:write', 'users:read.email'] as const;

const emailScope = 'users:read.email';

const timeoutMs = 8_000;

export interface InspectSlackOptions {
  readonly botToken: string;
  /** For Socket Mode; left out: it is not used. */
  readonly appToken?: string;
  /** Where the tokens are set, by which a refused one is named. */
  readonly botTokenVariable: string;
  readonly appTokenVariable?: string;
  readonly slackApiUrl: string;
  /** User groups that the policy names; without any, `usergroups:read` is not needed. */
  readonly groups: readonly string[];
  /**
   * Whether people who log in are known by the address of their profile; without, `users:read.email` is not
   * needed.
   */
  readonly readsEmails?: boolean;
  readonly log: Logger;
}

/**
 * Asks Slack who the bot is, which scopes it has (header `x-oauth-scopes`), and for a Socket Mode address.
 */
export async function inspectSlack({
  botToken,
  appToken,
  botTokenVariable,
  appTokenVariable = 'SLACK_APP_TOKEN',
  slackApiUrl,
  groups,
  readsEmails = false,
  log,
}: InspectSlackOptions): Promise<readonly Inspected[]> {
  const options = webClientOptions(slackApiUrl, timeoutMs, log);
  const client = new WebClient(botToken, options);
  const answer = await callSlack(() => client.auth.test());
  if (answer.type !== 'answered') return [failed(answer, botTokenVariable)];
  const { team = '', user = '', response_metadata: metadata, is_enterprise_install } = answer.result;
  const listed = is_enterprise_install === true ? await listWorkspaces(client) : undefined;
  const workspaces = listed?.type === 'answered' ? new Set(listed.result) : undefined;
  const scopes = metadata?.scopes;
  const without = (scopes === undefined ? [] : optionalScopes).filter(
    (scope) => !scopes?.includes(scope) && (scope !== emailScope || readsEmails),
  );
  const missing = neededScopes.filter(
    (scope) => !(scopes ?? []).includes(scope) && (scope !== 'usergroups:read' || groups.length > 0),
  );
  return [
    inspected('slack', 'works', 'slack-works', { team, bot: user }),
    ...(listed === undefined ? [] : [inspectedOrganisation(listed)]),
    scopes === undefined
      ? inspected('slack', 'unknown', 'slack-scopes-unknown', {})
      : missing.length === 0
        ? inspected('slack', 'works', 'slack-scopes-work', {})
        : inspected('slack', 'missing', 'slack-scopes-missing', { scopes: missing }),
    ...without.map((scope) =>
      inspected('slack', scope === emailScope ? 'missing' : 'note', withoutScope[scope], { scope }),
    ),
    ...(await inspectGroups(client, groups, workspaces)),
    ...(appToken === undefined
      ? []
      : [await inspectSocket(new WebClient(appToken, options), appTokenVariable)]),
  ];
}

function inspectedOrganisation(listed: SlackAnswer<readonly string[]>): Inspected {
  if (listed.type === 'answered') {
    const { length: count } = listed.result;
    return inspected('slack', count === 0 ? 'missing' : 'works', 'slack-organisation', { count });
  }
  const error = listed.type === 'throttled' ? 'ratelimited' : listed.error;
  return inspected('slack', 'unknown', 'slack-workspaces-unknown', { error });
}

/** Whether the groups that a policy names grant something; asks nothing where it names none. */
export async function inspectGroups(
  client: WebClient,
  groups: readonly string[],
  workspaces?: ReadonlySet<string>,
): Promise<readonly Inspected[]> {
  if (groups.length === 0) return [];
  const { unknown, problems } = await reportGroups(client, groups, workspaces);
  if (unknown !== undefined)
    return [inspected('slack', 'missing', 'slack-groups-unknown', { error: unknown })];
  return problems.length === 0
    ? [inspected('slack', 'works', 'slack-groups-work', { count: groups.length })]
    : problems.map((each) => inspected('slack', 'missing', 'slack-group-ignored', each));
}

async function inspectSocket(client: WebClient, variable: string): Promise<Inspected> {
  const answer = await callSlack(() => client.apps.connections.open());
  if (answer.type === 'answered') return inspected('slack', 'works', 'slack-socket-works', {});
  const said = failed(answer, variable);
  if (said.state === 'unknown' || answer.type === 'throttled') return said;
  return inspected('slack', 'missing', 'slack-socket-refused', { error: answer.error });
}

/** A token that is not good; a running app waits these out, since they may pass. */
const tokenErrors: ReadonlySet<string> = new Set([
  'not_authed',
  'invalid_auth',
  'missing_scope',
  'access_denied',
  'accesslimited',
  'ekm_access_denied',
]);

function failed(failure: SlackFailure, variable: string): Inspected {
  const error = failure.type === 'throttled' ? 'ratelimited' : failure.error;
  return failure.type === 'refused' || tokenErrors.has(error)
    ? inspected(
        'slack',
        'missing',
        'slack-refused',
        { error },
        badTokens.has(error) ? settingProblem(variable, 'token-refused', { error }) : undefined,
      )
    : inspected('slack', 'unknown', 'slack-away', { error });
}
