import type { WebClient } from '@slack/web-api';
import { DoctorError } from '../../service/errors.js';
import type { Clock } from '../../service/records/process-ports.js';
import { createBoundedCache } from './bounded-cache.js';
import { callSlack, type SlackAnswer } from './call-slack.js';
import type { SlackIdentityLookup } from './slack-identity.js';

/**
 * Ids of the workspaces that an administrator added the app to, at most five minutes old; undefined where the
 * app is installed in one workspace and not in an organisation.
 *
 * @throws DoctorError `slack-unavailable` or `slack-throttled` while Slack does not answer
 */
export type ReadWorkspaces = () => Promise<ReadonlySet<string> | undefined>;

/** `auth.teams.list` is of tier 2, and every process asks. */
const knownMs = 300_000;
const pageSize = 1_000;
/** Ends a list whose cursor never does. */
const maxPages = 20;

interface ReadWorkspacesOptions {
  readonly client: WebClient;
  readonly identity: Pick<SlackIdentityLookup, 'identity'>;
  readonly clock: Clock;
}

/** Needs no scope (docs.slack.dev/reference/methods/auth.teams.list). */
export function createReadWorkspaces({ client, identity, clock }: ReadWorkspacesOptions): ReadWorkspaces {
  const known = createBoundedCache<ReadonlySet<string>>(1, () => clock.now().getTime());
  let asking: Promise<ReadonlySet<string>> | undefined;

  async function ask(): Promise<ReadonlySet<string>> {
    const listed = await listWorkspaces(client);
    if (listed.type !== 'answered') {
      const throttled = listed.type === 'throttled';
      throw new DoctorError({
        code: throttled ? 'slack-throttled' : 'slack-unavailable',
        message: 'Slack did not return the workspaces of the app',
        retryable: true,
        ...(throttled ? { retryAfterMs: listed.retryAfterMs } : { cause: listed.error }),
      });
    }
    const ids = new Set(listed.result);
    known.set('all', ids);
    return ids;
  }

  return async () => {
    const { enterpriseId } = await identity.identity();
    if (enterpriseId === undefined) return undefined;
    const kept = known.get('all', knownMs);
    if (kept !== undefined) return kept;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

/** Every workspace of an installation of an organisation. */
export async function listWorkspaces(client: WebClient): Promise<SlackAnswer<readonly string[]>> {
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const more = cursor === undefined ? {} : { cursor };
    const answer = await callSlack(() => client.auth.teams.list({ limit: pageSize, ...more }));
    if (answer.type !== 'answered') return answer;
    ids.push(...(answer.result.teams ?? []).flatMap(({ id }) => (id === undefined ? [] : [id])));
    cursor = answer.result.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) break;
  }
  return { type: 'answered', result: ids };
}
