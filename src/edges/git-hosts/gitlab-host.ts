import { request } from '@octokit/request';
import * as z from 'zod';
import type { TreeEntry } from '../../doctor/git-edits/git-target.js';
import type { MergeHindrance } from '../../doctor/incidents/pull-request.js';
import type { GitHost, HostPullRequest } from '../../service/git/git-host.js';
import {
  Blob,
  hostFailure,
  maxAnswerBytes,
  requestWithin,
  requireNoRedirect,
  CommitSha as sha,
  treeTooLarge,
  understoodFrom,
  unlessAbsent,
  unlessThere,
  unlessTooLarge,
} from './host-failure.js';

const understood = understoodFrom('GitLab');
const Project = z.object({ default_branch: z.string().nullish() });
const Branch = z.object({ commit: z.object({ id: sha, message: z.string() }) });
const Commits = z.array(z.object({ id: sha, committed_date: z.iso.datetime({ offset: true }) }));
const Tree = z.array(z.object({ id: sha, path: z.string(), mode: z.string() }));
const MergeRequest = z.object({
  iid: z.number().int(),
  web_url: z.url({ protocol: /^https?$/ }),
  /** `locked` while a merge is under way. */
  state: z.enum(['opened', 'closed', 'locked', 'merged']),
  source_project_id: z.number().nullish(),
  target_project_id: z.number().nullish(),
  detailed_merge_status: z.string().optional(),
  has_conflicts: z.boolean().optional(),
  head_pipeline: z.object({ status: z.string() }).nullish(),
});

/** Files and folders of one project, a hundred in an answer. */
const maxPages = 200;

/** Projects on GitLab, by its REST API. A merge request is a pull request here. */
export function createGitLabHost(access: GitLabAccess): GitHost {
  const call = createGitLabCall(access);
  const project = '/projects/{id}';

  async function entriesOf(repository: string, ref: string): Promise<readonly TreeEntry[]> {
    const entries: TreeEntry[] = [];
    let characters = 0;
    for (let page = 1; page <= maxPages; page += 1) {
      const route = `GET ${project}/repository/tree`;
      const { data, headers } = await call(route, repository, { ref, recursive: true, per_page: 100, page });
      for (const { id, path, mode } of understood(Tree, data)) {
        entries.push({ path, mode, sha: id, size: undefined });
        characters += path.length;
      }
      if (characters > maxAnswerBytes.tree) break;
      if (String(headers['x-next-page'] ?? '') === '') return entries;
    }
    throw treeTooLarge('GitLab', repository);
  }

  const branchOf = (repository: string, branch: string): Promise<GitLabAnswer | undefined> =>
    unlessAbsent(call(`GET ${project}/repository/branches/{branch}`, repository, { branch }));

  async function pullRequestsOf(repository: string, branch: string): Promise<readonly HostPullRequest[]> {
    const { data } = await call(`GET ${project}/merge_requests`, repository, {
      source_branch: branch,
      state: 'all',
      order_by: 'created_at',
      sort: 'desc',
    });
    return (
      understood(z.array(MergeRequest), data)
        // A fork may have a branch of the same name.
        .filter((each) => each.source_project_id === each.target_project_id)
        .map(reported)
    );
  }

  return {
    pullRequestsOf,

    async tree(repository, commit) {
      const read = await unlessAbsent(
        call(`GET ${project}/repository/commits/{commit}`, repository, { commit }),
      );
      return read === undefined ? undefined : entriesOf(repository, commit);
    },

    async commitsOf(repository, upTo, path) {
      const { data } = await call(`GET ${project}/repository/commits`, repository, {
        ref_name: upTo,
        path,
        per_page: 20,
      });
      return understood(Commits, data).map(({ id, committed_date }) => ({ sha: id, at: committed_date }));
    },

    async branch(repository, wanted) {
      const isDefault = wanted === 'HEAD';
      const about = isDefault ? await call(`GET ${project}`, repository) : undefined;
      const name = isDefault ? (understood(Project, about?.data).default_branch ?? '') : wanted;
      const read = name === '' ? undefined : await branchOf(repository, name);
      if (read === undefined) {
        // A project that the token may not read answers the same.
        await call(`GET ${project}`, repository);
        return undefined;
      }
      const { id, message } = understood(Branch, read.data).commit;
      return { name, head: id, message, entries: await entriesOf(repository, id) };
    },

    async text(repository, blob) {
      const read = await unlessTooLarge(
        call(`GET ${project}/repository/blobs/{blob}`, repository, { blob }, maxAnswerBytes.blob),
      );
      return read && understood(Blob, read.data);
    },

    async pullRequest(repository, iid) {
      const { data } = await call(`GET ${project}/merge_requests/{iid}`, repository, { iid });
      return reported(understood(MergeRequest, data));
    },

    async createBranch({ repository, name, onto, entry, text, message, mayGoOn }) {
      if (!(await mayGoOn())) return 'lapsed';
      const content = Buffer.from(text, 'utf8').toString('base64');
      const created = call(`POST ${project}/repository/commits`, repository, {
        branch: name,
        start_sha: onto,
        commit_message: message,
        force: false,
        actions: [{ action: 'update', file_path: entry.path, content, encoding: 'base64' }],
      });
      return unlessThere(
        created.then(() => 'created' as const),
        refusesSecond.branch,
        async () => (await branchOf(repository, name)) !== undefined,
      );
    },

    async openPullRequest({ repository, branch, base, title, body }) {
      const opened = call(`POST ${project}/merge_requests`, repository, {
        source_branch: branch,
        target_branch: base,
        title,
        description: body,
        remove_source_branch: true,
      });
      return unlessThere(
        opened.then(({ data }) => reported(understood(MergeRequest, data))),
        refusesSecond.mergeRequest,
        async () => (await pullRequestsOf(repository, branch)).some(({ state }) => state === 'open'),
      );
    },
  };
}

/** GitLab answers these for what exists, and for other mistakes. */
const refusesSecond = { branch: 400, mergeRequest: 409 } as const;

function reported(request: z.output<typeof MergeRequest>): HostPullRequest {
  const { iid, web_url, state } = request;
  return {
    number: iid,
    url: web_url,
    state: state === 'merged' || state === 'closed' ? state : 'open',
    hindrance: hindranceOf(request),
  };
}

/** A pipeline that failed is worth a read also where the project lets people merge without it. */
function hindranceOf({
  detailed_merge_status = '',
  has_conflicts,
  head_pipeline,
}: z.output<typeof MergeRequest>): MergeHindrance | undefined {
  if (has_conflicts === true) return 'conflicts';
  const known = hindrances[detailed_merge_status];
  return known ?? (head_pipeline?.status === 'failed' ? 'checks' : undefined);
}

/** GitLab computes the status after it was asked for. Values that newer versions add count as nothing. */
const hindrances: Readonly<Record<string, MergeHindrance>> = {
  conflict: 'conflicts',
  broken_status: 'conflicts',
  need_rebase: 'behind',
  ci_must_pass: 'checks',
  ci_still_running: 'checks',
  external_status_checks: 'checks',
  status_checks_must_pass: 'checks',
  not_approved: 'protected',
  requested_changes: 'protected',
  discussions_not_resolved: 'protected',
  policies_denied: 'protected',
  security_policy_violations: 'protected',
  blocked_status: 'protected',
  merge_request_blocked: 'protected',
  jira_association_missing: 'protected',
  draft_status: 'draft',
};

/** The project or group access token that opens merge requests. */
export interface GitLabAccess {
  readonly token: string;
  /** `https://gitlab.com/api/v4`, or `https://HOST/api/v4`. */
  readonly apiUrl: string;
  /** Deadline of one request in milliseconds. */
  readonly timeoutMs: number;
}

type GitLabAnswer = { readonly data: unknown; readonly headers: Readonly<Record<string, unknown>> };

/** Sends one request for a project, whose path takes the place of `{id}`. */
type GitLabCall = (
  route: string,
  repository: string,
  parameters?: Readonly<Record<string, unknown>>,
  /** Of the answer. */
  maxBytes?: number,
) => Promise<GitLabAnswer>;

/**
 * Requests with the access token. Redirects are not followed: the client would send the token to wherever
 * they lead. `@gitbeaker/rest` always follows them and waits by itself when GitLab limits requests, so the
 * client of GitHub is used.
 */
function createGitLabCall({ token, apiUrl, timeoutMs }: GitLabAccess): GitLabCall {
  const base = request.defaults({
    baseUrl: apiUrl,
    headers: { accept: 'application/json', 'user-agent': 'rollout-doctor', 'private-token': token },
  });
  return async (route, repository, parameters = {}, maxBytes = maxAnswerBytes.usual) => {
    try {
      const { status, data, headers } = await base(route, {
        id: repository,
        ...parameters,
        request: requestWithin(timeoutMs, maxBytes),
      });
      requireNoRedirect(status);
      return { data, headers };
    } catch (error) {
      throw hostFailure('GitLab', error, repository);
    }
  };
}
