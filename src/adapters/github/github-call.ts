import { createAppAuth } from '@octokit/auth-app';
import { request } from '@octokit/request';
import { DoctorError } from '../../errors.js';
import { gitStatement } from '../../usecases/git/git-text.js';

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
) => Promise<unknown>;

/** All that the App asks for. A change of a workflow fails, since `workflows` is not among them. */
const permissions = { contents: 'write', pull_requests: 'write', metadata: 'read' } as const;
const unavailableRetryMs = 30_000;
const limitedRetryMs = 60_000;
const maxRetryMs = 3_600_000;

/** Requests as the installation of the App on one repository, with a token for that repository only. */
export function createGitHubCall({ appId, privateKey, apiUrl, timeoutMs }: GitHubApp): GitHubCall {
  const base = request.defaults({
    baseUrl: apiUrl,
    headers: { 'user-agent': 'rollout-doctor', 'x-github-api-version': '2022-11-28' },
    request: { redirect: 'manual' },
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
      request: { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) },
    });
    requireNoRedirect(answer.status);
    installations.set(repository, answer.data.id);
    return answer.data.id;
  }

  async function send(
    route: string,
    repository: string,
    parameters: Readonly<Record<string, unknown>>,
    refresh: boolean,
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
      request: { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) },
    });
    requireNoRedirect(answer.status);
    return answer.data;
  }

  return async (route, repository, parameters = {}) => {
    try {
      return await send(route, repository, parameters, false);
    } catch (error) {
      if (statusOf(error) !== 401) throw failureOf(error, repository);
    }
    // The token was revoked before its time; a new one shows whether the App still has access.
    installations.delete(repository);
    return send(route, repository, parameters, true).catch((error: unknown) => {
      throw failureOf(error, repository);
    });
  };
}

/** A repository that moved has another name, which the settings may not allow. */
function requireNoRedirect(status: number): void {
  if (status >= 300) throw Object.assign(new Error(''), { status });
}

/** The status of a refused request. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof DoctorError) return statusOf(error.cause);
  if (typeof error !== 'object' || error === null || !('status' in error)) return undefined;
  return typeof error.status === 'number' ? error.status : undefined;
}

function failureOf(error: unknown, repository: string): DoctorError {
  const status = statusOf(error) ?? 0;
  const headers = headersOf(error);
  const limited = retryAfterOf(status, headers, messageOf(error));
  const code = refusals[status];
  if (limited !== undefined || code === undefined) {
    return new DoctorError({
      code: 'git-unavailable',
      message: limited === undefined ? 'GitHub did not answer' : 'GitHub asks to wait',
      retryable: true,
      retryAfterMs: limited ?? unavailableRetryMs,
      cause: bare(error, status),
    });
  }
  return new DoctorError({
    code: 'git-refused',
    message: 'GitHub refused a request',
    retryable: false,
    tells: gitStatement('host-refused', { repository, because: code, message: messageOf(error) }),
    cause: bare(error, status),
  });
}

const refusals: Readonly<Record<number, string>> = {
  301: 'moved',
  302: 'moved',
  307: 'moved',
  308: 'moved',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'not-found',
  413: 'too-large',
  422: 'invalid',
  451: 'forbidden',
};

/** Without the request, whose headers hold the token. */
function bare(error: unknown, status: number): Error {
  return Object.assign(new Error(messageOf(error)), { status });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 300) : '';
}

function headersOf(error: unknown): Readonly<Record<string, unknown>> {
  const { response } = error as { readonly response?: { readonly headers?: Record<string, unknown> } };
  return response?.headers ?? {};
}

/** How long GitHub asks to wait, in milliseconds; `undefined` where the answer is about something else. */
function retryAfterOf(
  status: number,
  headers: Readonly<Record<string, unknown>>,
  message: string,
): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const after = Number(headers['retry-after']);
  if (headers['retry-after'] !== undefined && after >= 0) return Math.min(after * 1_000, maxRetryMs);
  if (String(headers['x-ratelimit-remaining']) === '0') {
    const untilMs = Number(headers['x-ratelimit-reset']) * 1_000 - Date.now();
    return Math.min(Math.max(1_000, untilMs || limitedRetryMs), maxRetryMs);
  }
  const isLimit = status === 429 || message.toLowerCase().includes('rate limit');
  return isLimit ? limitedRetryMs : undefined;
}

function namesOf(repository: string): { readonly owner: string; readonly repo: string } {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}
