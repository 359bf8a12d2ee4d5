import { createGitHubHost } from '../src/adapters/git/github-host.js';
import { createGitLabHost } from '../src/adapters/git/gitlab-host.js';
import { allowedRepositories } from '../src/core/git-change/git-settings.js';
import type { Doctor } from '../src/usecases/diagnose/doctor.js';
import type { GitHost } from '../src/usecases/git/git-host.js';
import { createGitWriter, type GitWriter } from '../src/usecases/git/git-writer.js';
import type { WorkerContainer } from './worker-container.js';

/** The only writer to Git, and what reads pull requests; absent where no key is configured. */
export interface GitAccess {
  readonly gitHost: GitHost;
  readonly gitWriter: GitWriter;
}

/** No other process builds one. */
export function createGitAccess(
  {
    config,
    authority,
    sharedClock,
    cluster,
    digest,
  }: Pick<WorkerContainer, 'config' | 'authority' | 'sharedClock' | 'cluster' | 'digest'>,
  doctor: Doctor,
): GitAccess | undefined {
  const { git } = config;
  if (git === undefined) return undefined;
  const { settings, privateKey, token } = git;
  const { github, gitlab, repositories } = settings;
  const timeoutMs = config.readTimeoutSeconds * 1_000;
  const served: ServedRepositories[] = [];
  if (github !== undefined && privateKey !== undefined) {
    const { appId, apiUrl } = github;
    served.push({ repositories, host: createGitHubHost({ appId, apiUrl, privateKey, timeoutMs }) });
  }
  if (gitlab !== undefined && token !== undefined) {
    const { apiUrl, repositories: projects } = gitlab;
    served.push({ repositories: projects, host: createGitLabHost({ apiUrl, token, timeoutMs }) });
  }
  if (served.length === 0) return undefined;
  const gitHost = routeByRepository(served);
  const allowed = allowedRepositories(settings);
  const isAllowed = (repository: string): boolean => allowed.includes(repository);
  const gitWriter = createGitWriter({
    ...{ authority, sharedClock, cluster, digest, doctor, isAllowed },
    host: gitHost,
  });
  return { gitHost, gitWriter };
}

/** The repositories that one host serves. */
interface ServedRepositories {
  readonly repositories: readonly string[];
  readonly host: GitHost;
}

/** One host for all: each call goes to the one whose repository it names. @throws RangeError for any other repository */
function routeByRepository(served: readonly ServedRepositories[]): GitHost {
  const hostOf = (repository: string): GitHost => {
    const found = served.find(({ repositories }) => repositories.includes(repository));
    if (found === undefined) throw new RangeError('a repository that no host of the settings serves');
    return found.host;
  };
  return {
    branch: (repository, name) => hostOf(repository).branch(repository, name),
    tree: (repository, commit) => hostOf(repository).tree(repository, commit),
    commitsOf: (repository, upTo, path) => hostOf(repository).commitsOf(repository, upTo, path),
    text: (repository, sha) => hostOf(repository).text(repository, sha),
    pullRequestsOf: (repository, branch) => hostOf(repository).pullRequestsOf(repository, branch),
    pullRequest: (repository, number) => hostOf(repository).pullRequest(repository, number),
    createBranch: (change) => hostOf(change.repository).createBranch(change),
    openPullRequest: (request) => hostOf(request.repository).openPullRequest(request),
  };
}
