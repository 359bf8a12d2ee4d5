import { createAppAuth } from '@octokit/auth-app';
import { request } from '@octokit/request';
import { boundedFetch, hostFailure, maxAnswerBytes, requireNoRedirect, statusOf } from './host-failure.js';

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
export type GitHubCall = (
  route: string,
  repository: string,
  parameters?: Readonly<Record<string, unknown>>,
  /** Of the answer. */
  maxBytes?: number,
) => Promise<unknown>;

/** All that the App asks for. A change of a workflow fails, since `workflows` is not among them. */
const permissions = { contents: 'write', pull_requests: 'write', metadata: 'read' } as const;

/** Requests as the installation of the App on one repository, with a token for that repository only. */
export function createGitHubCall({ appId, privateKey, apiUrl, timeoutMs }: GitHubApp): GitHubCall {
  const base = request.defaults({
    baseUrl: apiUrl,
    headers: { 'user-agent': 'rollout-doctor', 'x-github-api-version': '2022-11-28' },
    request: { redirect: 'manual', fetch: boundedFetch(maxAnswerBytes.usual) },
  });
  const auth = createAppAuth({ appId, privateKey, request: base });
  const installations = new Map<string, number>();

  const within = (maxBytes: number) => ({
    redirect: 'manual' as const,
    signal: AbortSignal.timeout(timeoutMs),
    fetch: boundedFetch(maxBytes),
  });

  async function installationOf(repository: string): Promise<number> {
    const known = installations.get(repository);
    if (known !== undefined) return known;
    const { token } = await auth({ type: 'app' });
    const answer = await base('GET /repos/{owner}/{repo}/installation', {
      ...namesOf(repository),
      headers: { authorization: `bearer ${token}` },
      request: within(maxAnswerBytes.usual),
    });
    requireNoRedirect(answer.status);
    installations.set(repository, answer.data.id);
    return answer.data.id;
  }

  async function send(
    route: string,
    repository: string,
    parameters: Readonly<Record<string, unknown>>,
    { maxBytes, refresh }: { readonly maxBytes: number; readonly refresh: boolean },
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
      request: within(maxBytes),
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
