import { allowedRepositories } from '../src/doctor/git-edits/git-settings.js';
import { connectGitHosts, type GitConnections } from '../src/edges/git-hosts/connect-hosts.js';
import { createThreadedGitEditor } from '../src/edges/threads/threaded-git-editor.js';
import { threadBeside } from '../src/roots/start-engine.js';
import type { DiagnosisEngine } from '../src/service/diagnose/engine.js';
import type { GitEditor } from '../src/service/git/edit-in-git.js';
import type { PullRequestHost } from '../src/service/git/git-host.js';
import { createGitWriter, type GitWriter } from '../src/service/git/git-writer.js';
import type { WorkerContainer } from './worker-container.js';

/** What reads and writes Git; absent where no key is configured. */
export interface GitAccess {
  readonly gitHost: PullRequestHost;
  /** The only writer to Git. */
  readonly writerWith: (engine: DiagnosisEngine) => GitWriter;
  close(): Promise<void>;
}

/** No other process builds one. Trees are read and edited in threads, which have connections of their own. */
export function createGitAccess(
  container: Pick<WorkerContainer, 'config' | 'authority' | 'sharedClock' | 'cluster' | 'digest' | 'log'>,
): GitAccess | undefined {
  const { config, log, authority, sharedClock, cluster, digest } = container;
  const connections = connectionsIn(config);
  if (config.git === undefined || connections === undefined) return undefined;
  const allowed = allowedRepositories(config.git.settings);
  const isAllowed = (repository: string): boolean => allowed.includes(repository);
  const gitHost = connectGitHosts(connections);
  const editor: GitEditor & { close(): Promise<void> } = createThreadedGitEditor({
    entry: threadBeside(import.meta.url, 'git-thread'),
    data: connections,
    onEnded: (ended) => log.error(ended, 'an edit in Git was ended before its result'),
  });
  return {
    gitHost,
    writerWith: (engine) =>
      createGitWriter({
        authority,
        sharedClock,
        cluster,
        digest,
        engine,
        isAllowed,
        editor,
        host: gitHost,
      }),
    close: () => editor.close(),
  };
}

function connectionsIn({ git, readTimeoutSeconds }: WorkerContainer['config']): GitConnections | undefined {
  if (git === undefined) return undefined;
  const { settings, privateKey, token } = git;
  const { github, gitlab, repositories } = settings;
  const timeoutMs = readTimeoutSeconds * 1_000;
  const connections: GitConnections = {
    ...(github === undefined || privateKey === undefined
      ? {}
      : { github: { appId: github.appId, apiUrl: github.apiUrl, privateKey, timeoutMs, repositories } }),
    ...(gitlab === undefined || token === undefined
      ? {}
      : { gitlab: { apiUrl: gitlab.apiUrl, token, timeoutMs, repositories: gitlab.repositories } }),
  };
  return Object.keys(connections).length === 0 ? undefined : connections;
}
