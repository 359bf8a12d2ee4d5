import { request } from '@octokit/request';
import { boundedFetch, maxAnswerBytes } from './bounded-fetch.js';
import { hostFailure, requireNoRedirect } from './host-failure.js';

/** The project or group access token that opens merge requests. */
export interface GitLabAccess {
  readonly token: string;
  /** `https://gitlab.com/api/v4`, or `https://HOST/api/v4`. */
  readonly apiUrl: string;
  /** Deadline of one request in milliseconds. */
  readonly timeoutMs: number;
}

export interface GitLabAnswer {
  readonly data: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Sends one request for a project, whose path takes the place of `{id}`. */
export type GitLabCall = (
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
export function createGitLabCall({ token, apiUrl, timeoutMs }: GitLabAccess): GitLabCall {
  const base = request.defaults({
    baseUrl: apiUrl,
    headers: { accept: 'application/json', 'user-agent': 'rollout-doctor', 'private-token': token },
  });
  return async (route, repository, parameters = {}, maxBytes = maxAnswerBytes.usual) => {
    try {
      const { status, data, headers } = await base(route, {
        id: repository,
        ...parameters,
        request: {
          redirect: 'manual',
          signal: AbortSignal.timeout(timeoutMs),
          fetch: boundedFetch(maxBytes),
        },
      });
      requireNoRedirect(status);
      return { data, headers };
    } catch (error) {
      throw hostFailure('GitLab', error, repository);
    }
  };
}
