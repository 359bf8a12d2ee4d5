import { createGitHubHost } from '../src/adapters/github/github-host.js';
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
  if (git?.privateKey === undefined) return undefined;
  const { settings, privateKey } = git;
  const { appId, apiUrl } = settings.github;
  const timeoutMs = config.readTimeoutSeconds * 1_000;
  const gitHost = createGitHubHost({ appId, apiUrl, privateKey, timeoutMs });
  const isAllowed = (repository: string): boolean => settings.repositories.includes(repository);
  const gitWriter = createGitWriter({
    ...{ authority, sharedClock, cluster, digest, doctor, isAllowed },
    host: gitHost,
  });
  return { gitHost, gitWriter };
}
