import { createGitHubHost } from '../src/adapters/git/github-host.js';
import { createGitLabHost } from '../src/adapters/git/gitlab-host.js';
import { routeByRepository, type ServedRepositories } from '../src/adapters/git/route-by-repository.js';
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
