import type { WebClient } from '@slack/web-api';
import { type GroupProblem, groupProblem, type ListedGroup } from '../../doctor/policy/group-names.js';
import { callSlack, type SlackFailure } from './call-slack.js';

type ListedGroups =
  | { readonly type: 'listed'; readonly groups: readonly ListedGroup[] }
  /**
   * This workspace or this token has no user groups to show, and would answer the same again; `error` is the
   * code.
   */
  | { readonly type: 'unknown'; readonly error: string }
  | { readonly type: 'failed'; readonly failure: SlackFailure };

/**
 * Codes that `callSlack` takes for passing trouble of the whole token, and that here mean: no user groups
 * (docs.slack.dev, errors of `usergroups.list`). A method that a server does not know is a 404 without a
 * code.
 */
const lasting: ReadonlySet<string> = new Set(['missing_scope', 'access_denied', 'http_404', 'http_405']);

/**
 * Every user group with its members, disabled ones included.
 *
 * @param workspaces of an installation of an organisation, whose token serves several workspaces: Slack then
 *   lists the groups of one workspace at a time. One workspace without user groups does not hide those of the
 *   others.
 */
export async function listUserGroups(
  client: WebClient,
  workspaces?: ReadonlySet<string>,
): Promise<ListedGroups> {
  if (workspaces === undefined) return listIn(client, undefined);
  const groups = new Map<string, ListedGroup>();
  let unknown: ListedGroups | undefined;
  for (const workspace of workspaces) {
    const listed = await listIn(client, workspace);
    if (listed.type === 'failed') return listed;
    if (listed.type === 'unknown') unknown = listed;
    // A group of the organisation is listed in each of its workspaces.
    else for (const group of listed.groups) groups.set(group.id, merged(groups.get(group.id), group));
  }
  return groups.size === 0 && unknown !== undefined
    ? unknown
    : { type: 'listed', groups: [...groups.values()] };
}

/** In use and own only where every workspace lists it so. */
function merged(one: ListedGroup | undefined, other: ListedGroup): ListedGroup {
  if (one === undefined) return other;
  return {
    ...other,
    isDisabled: one.isDisabled || other.isDisabled,
    isExternal: one.isExternal || other.isExternal,
    members: [...new Set([...one.members, ...other.members])],
  };
}

async function listIn(client: WebClient, workspace: string | undefined): Promise<ListedGroups> {
  const answer = await callSlack(() =>
    client.usergroups.list({
      include_users: true,
      include_disabled: true,
      ...(workspace === undefined ? {} : { team_id: workspace }),
    }),
  );
  if (answer.type !== 'answered') {
    const isLasting =
      answer.type === 'refused' || (answer.type === 'unavailable' && lasting.has(answer.error));
    return isLasting ? { type: 'unknown', error: answer.error } : { type: 'failed', failure: answer };
  }
  const { usergroups } = answer.result;
  if (!Array.isArray(usergroups)) {
    return { type: 'failed', failure: { type: 'doubtful', error: 'no_usergroups' } };
  }
  const groups = usergroups.flatMap((group): readonly ListedGroup[] =>
    group.id === undefined || group.handle === undefined
      ? []
      : [
          {
            id: group.id,
            handle: group.handle,
            isDisabled: (group.date_delete ?? 0) > 0,
            isExternal: group.is_external === true,
            members: group.users ?? [],
          },
        ],
  );
  return { type: 'listed', groups };
}

/** What keeps groups of the policy from granting anything. */
interface GroupReport {
  /** Slack's code, where no user groups are shown or Slack could not be asked. */
  readonly unknown: string | undefined;
  readonly problems: readonly { readonly group: string; readonly problem: GroupProblem }[];
}

/** Compares the groups that a policy names with those that Slack has; asks nothing where it names none. */
export async function reportGroups(
  client: WebClient,
  names: readonly string[],
  workspaces?: ReadonlySet<string>,
): Promise<GroupReport> {
  if (names.length === 0) return { unknown: undefined, problems: [] };
  const listed = await listUserGroups(client, workspaces);
  if (listed.type === 'unknown') return { unknown: listed.error, problems: [] };
  if (listed.type === 'failed') {
    const { failure } = listed;
    return { unknown: failure.type === 'throttled' ? 'ratelimited' : failure.error, problems: [] };
  }
  const problems = names.flatMap((group) => {
    const problem = groupProblem(group, listed.groups);
    return problem === undefined ? [] : [{ group, problem }];
  });
  return { unknown: undefined, problems };
}
