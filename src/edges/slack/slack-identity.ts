import type { WebClient } from '@slack/web-api';
import { DoctorError } from '../../service/errors.js';
import { callSlack } from './call-slack.js';

/** Who the bot is, and where the app is installed. */
export interface SlackIdentity {
  /** The workspace; of an installation of an organisation what Slack gives in its place. */
  readonly teamId: string;
  /**
   * The organisation in which the app is installed as a whole; absent where it is installed in one workspace.
   */
  readonly enterpriseId?: string;
  readonly botId: string;
  readonly botUserId: string;
  /** `https://name.slack.com/`; '' when Slack does not tell. */
  readonly workspaceUrl: string;
}

export interface SlackIdentityLookup {
  /** Known without asking; undefined until Slack has answered once. */
  known(): SlackIdentity | undefined;
  /**
   * Asks Slack once and remembers.
   *
   * @throws DoctorError `slack-refused` when the token is not good, `slack-unavailable` when Slack does not
   *   answer
   */
  identity(): Promise<SlackIdentity>;
}

/** `auth.test`, asked until it was answered once. */
export function createSlackIdentity(client: WebClient): SlackIdentityLookup {
  let known: SlackIdentity | undefined;
  let asking: Promise<SlackIdentity> | undefined;

  async function ask(): Promise<SlackIdentity> {
    const answer = await callSlack(() => client.auth.test());
    if (answer.type !== 'answered') {
      const bad = 'error' in answer && badTokens.has(answer.error);
      throw new DoctorError({
        code: bad ? 'slack-refused' : 'slack-unavailable',
        message: bad ? 'Slack does not accept the bot token' : 'Slack did not return who the bot is',
        retryable: !bad,
        cause: 'error' in answer ? answer.error : answer.type,
      });
    }
    const {
      team_id,
      enterprise_id,
      is_enterprise_install,
      bot_id = '',
      user_id = '',
      url = '',
    } = answer.result;
    const organisation = is_enterprise_install === true ? enterprise_id : undefined;
    if (!team_id || (is_enterprise_install === true && !organisation)) {
      throw new DoctorError({
        code: 'slack-unavailable',
        message: 'Slack did not return who the bot is',
        retryable: true,
      });
    }
    known = {
      teamId: team_id,
      botId: bot_id,
      botUserId: user_id,
      workspaceUrl: url,
      ...(organisation === undefined ? {} : { enterpriseId: organisation }),
    };
    return known;
  }

  return {
    known: () => known,
    async identity() {
      if (known !== undefined) return known;
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return asking;
    },
  };
}

/**
 * Whether a request is for this installation. One app can be installed in several workspaces that have
 * nothing to do with each other, and Slack signs the requests of all of them with the same secret.
 *
 * @param from what Slack states about the installation that a request is for, not about the person
 */
export function isOwnInstallation(
  { teamId, enterpriseId }: Pick<SlackIdentity, 'teamId' | 'enterpriseId'>,
  from: { readonly teamId: string | undefined; readonly enterpriseId: string | undefined },
): boolean {
  return enterpriseId === undefined ? from.teamId === teamId : from.enterpriseId === enterpriseId;
}

/** Slack's codes for a token that is not good and will not become so. */
export const badTokens: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
]);
