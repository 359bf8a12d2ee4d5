import { createAppAuth } from '@octokit/auth-app';
import { request } from '@octokit/request';
import * as z from 'zod';
import type { TreeEntry } from '../../doctor/git-edits/git-target.js';
import type { MergeHindrance } from '../../doctor/incidents/pull-request.js';
import type { GitHost, HostPullRequest } from '../../service/git/git-host.js';
import {
  Blob,
  boundedFetch,
  hostFailure,
  maxAnswerBytes,
  requestWithin,
  requireNoRedirect,
  CommitSha as sha,
  statusOf,
  treeTooLarge,
  understoodFrom,
  unlessAbsent,
  unlessThere,
  unlessTooLarge,
} from './host-failure.js';

const understood = understoodFrom('GitHub');

const Ref = z.object({ object: z.object({ sha }) });
const Commit = z.object({ tree: z.object({ sha }), message: z.string() });
const Created = z.object({ sha });
const Commits = z.array(
  z.object({ sha, commit: z.object({ committer: z.object({ date: z.iso.datetime() }) }) }),
);
const Repository = z.object({ default_branch: z.string() });
const Tree = z.object({
  truncated: z.boolean(),
  tree: z.array(z.object({ path: z.string(), mode: z.string(), sha, size: z.number().optional() })),
});
const PullRequest = z.object({
  number: z.number().int(),
  html_url: z.url({ protocol: /^https?$/ }),
  state: z.enum(['open', 'closed']),
  merged_at: z.string().nullish(),
  mergeable_state: z.string().optional(),
});

/** Repositories on GitHub, by its REST API. */
export function createGitHubHost(app: GitHubApp): GitHost {
  const call = createGitHubCall(app);

  async function pullRequestsOf(repository: string, branch: string): Promise<readonly HostPullRequest[]> {
    const [owner = ''] = repository.split('/');
    const list = await call('GET /repos/{owner}/{repo}/pulls', repository, {
      head: `${owner}:${branch}`,
      state: 'all',
      sort: 'created',
      direction: 'desc',
    });
    return understood(z.array(PullRequest), list).map(reported);
  }

  const refOf = (repository: string, name: string): Promise<unknown> =>
    unlessAbsent(
      call('GET /repos/{owner}/{repo}/git/ref/{+ref}', repository, { ref: `heads/${encoded(name)}` }),
    );

  async function treeOf(
    repository: string,
    commit: unknown,
  ): Promise<{ readonly message: string; readonly entries: readonly TreeEntry[] }> {
    const { tree: root, message } = understood(Commit, commit);
    const { truncated, tree } = understood(
      Tree,
      await call(
        'GET /repos/{owner}/{repo}/git/trees/{tree}',
        repository,
        { tree: root.sha, recursive: '1' },
        maxAnswerBytes.tree,
      ),
    );
    if (truncated) {
      throw treeTooLarge('GitHub', repository);
    }
    return { message, entries: tree.map(({ size, ...entry }) => ({ ...entry, size })) };
  }

  const commitRoute = 'GET /repos/{owner}/{repo}/git/commits/{commit}';

  async function defaultBranch(repository: string): Promise<string> {
    return understood(Repository, await call('GET /repos/{owner}/{repo}', repository)).default_branch;
  }

  return {
    pullRequestsOf,

    async tree(repository, commit) {
      const read = await unlessAbsent(call(commitRoute, repository, { commit }));
      return read === undefined ? undefined : (await treeOf(repository, read)).entries;
    },

    async commitsOf(repository, upTo, path) {
      const list = await call('GET /repos/{owner}/{repo}/commits', repository, {
        sha: upTo,
        path,
        per_page: 20,
      });
      return understood(Commits, list).map((each) => ({ sha: each.sha, at: each.commit.committer.date }));
    },

    async branch(repository, wanted) {
      const name = wanted === 'HEAD' ? await defaultBranch(repository) : wanted;
      const read = await refOf(repository, name);
      if (read === undefined) {
        // A repository that the App may not see answers the same.
        await call('GET /repos/{owner}/{repo}', repository);
        return undefined;
      }
      const head = understood(Ref, read).object.sha;
      const commit = await call(commitRoute, repository, { commit: head });
      return { name, head, ...(await treeOf(repository, commit)) };
    },

    async text(repository, blob) {
      const read = await unlessTooLarge(
        call('GET /repos/{owner}/{repo}/git/blobs/{blob}', repository, { blob }, maxAnswerBytes.blob),
      );
      return read === undefined ? undefined : understood(Blob, read);
    },

    async pullRequest(repository, number) {
      const answer = await call('GET /repos/{owner}/{repo}/pulls/{number}', repository, { number });
      return reported(understood(PullRequest, answer));
    },

    async createBranch({ repository, name, onto, entry: { path, mode }, text, message, mayGoOn }) {
      const parent = understood(Commit, await call(commitRoute, repository, { commit: onto }));
      const blob = understood(
        Created,
        await call('POST /repos/{owner}/{repo}/git/blobs', repository, {
          content: Buffer.from(text, 'utf8').toString('base64'),
          encoding: 'base64',
        }),
      );
      const tree = understood(
        Created,
        await call('POST /repos/{owner}/{repo}/git/trees', repository, {
          base_tree: parent.tree.sha,
          tree: [{ path, mode, type: 'blob', sha: blob.sha }],
        }),
      );
      const commit = await call('POST /repos/{owner}/{repo}/git/commits', repository, {
        message,
        tree: tree.sha,
        parents: [onto],
      });
      const { sha: made } = understood(Created, commit);
      if (!(await mayGoOn())) return 'lapsed';
      const ref = `refs/heads/${name}`;
      const created = call('POST /repos/{owner}/{repo}/git/refs', repository, { ref, sha: made });
      const isThere = async () => (await refOf(repository, name)) !== undefined;
      return unlessThere(
        created.then(() => 'created' as const),
        refusesSecond,
        isThere,
      );
    },

    async openPullRequest({ repository, branch, base, title, body }) {
      const opened = call('POST /repos/{owner}/{repo}/pulls', repository, {
        title,
        body,
        head: branch,
        base,
        maintainer_can_modify: false,
      });
      return unlessThere(
        opened.then((answer) => reported(understood(PullRequest, answer))),
        refusesSecond,
        async () => (await pullRequestsOf(repository, branch)).some(({ state }) => state === 'open'),
      );
    },
  };
}

/** GitHub answers this for a branch or an open pull request that exists, and for other mistakes. */
const refusesSecond = 422;

function reported({
  number,
  html_url,
  state,
  merged_at,
  mergeable_state,
}: z.output<typeof PullRequest>): HostPullRequest {
  return {
    number,
    url: html_url,
    state: typeof merged_at === 'string' ? 'merged' : state,
    hindrance: hindrances[mergeable_state ?? ''],
  };
}

/** GitHub computes `mergeable_state` after it was asked for: until then it is `unknown`. */
const hindrances: Readonly<Record<string, MergeHindrance>> = {
  dirty: 'conflicts',
  behind: 'behind',
  unstable: 'checks',
  blocked: 'protected',
  draft: 'draft',
};

/** The parts of a branch's name, whose slashes stay. */
function encoded(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}

/** The GitHub App that opens pull requests. */
export interface GitHubApp {
  readonly appId: number;
  /** PEM. */
  readonly privateKey: string;
  /** `https://api.github.com`, or `https://HOST/api/v3` of GitHub Enterprise. */
  readonly apiUrl: string;
  /** Deadline of one request in milliseconds. */
  readonly timeoutMs: number;
}

/** Sends one request for a repository and gives the body of the answer. */
type GitHubCall = (
  route: string,
  repository: string,
  parameters?: Readonly<Record<string, unknown>>,
  /** Of the answer. */
  maxBytes?: number,
) => Promise<unknown>;

/** All that the App asks for. A change of a workflow fails, since `workflows` is not among them. */
const permissions = { contents: 'write', pull_requests: 'write', metadata: 'read' } as const;

/** Requests as the installation of the App on one repository, with a token for that repository only. */
function createGitHubCall({ appId, privateKey, apiUrl, timeoutMs }: GitHubApp): GitHubCall {
  const base = request.defaults({
    baseUrl: apiUrl,
    headers: { 'user-agent': 'rollout-doctor', 'x-github-api-version': '2022-11-28' },
    request: { redirect: 'manual', fetch: boundedFetch(maxAnswerBytes.usual) },
  });
  const auth = createAppAuth({ appId, privateKey, request: base });
  const installations = new Map<string, number>();

  async function installationOf(repository: string): Promise<number> {
    const known = installations.get(repository);
    if (known !== undefined) return known;
    const { token } = await auth({ type: 'app' });
    const answer = await base('GET /repos/{owner}/{repo}/installation', {
      ...namesOf(repository),
      headers: { authorization: `bearer ${token}` },
      request: requestWithin(timeoutMs, maxAnswerBytes.usual),
    });
    requireNoRedirect(answer.status);
    installations.set(repository, answer.data.id);
    return answer.data.id;
  }

  async function send(
    route: string,
    repository: string,
    parameters: Readonly<Record<string, unknown>>,
    { maxBytes, refresh }: { maxBytes: number; refresh: boolean },
  ): Promise<unknown> {
    const { repo } = namesOf(repository);
    const { token } = await auth({
      type: 'installation',
      installationId: await installationOf(repository),
      repositoryNames: [repo],
      permissions,
      refresh,
    });
    const answer = await base(route, {
      ...namesOf(repository),
      ...parameters,
      headers: { authorization: `token ${token}` },
      request: requestWithin(timeoutMs, maxBytes),
    });
    requireNoRedirect(answer.status);
    return answer.data;
  }

  return async (route, repository, parameters = {}, maxBytes = maxAnswerBytes.usual) => {
    try {
      return await send(route, repository, parameters, { maxBytes, refresh: false });
    } catch (error) {
      if (statusOf(error) !== 401) throw hostFailure('GitHub', error, repository);
    }
    // The token was revoked before its time; a new one shows whether the App still has access.
    installations.delete(repository);
    return send(route, repository, parameters, { maxBytes, refresh: true }).catch((error: unknown) => {
      throw hostFailure('GitHub', error, repository);
    });
  };
}

function namesOf(repository: string): { readonly owner: string; readonly repo: string } {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}
