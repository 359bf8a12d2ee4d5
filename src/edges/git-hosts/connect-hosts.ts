import type { GitHost } from '../../service/git/git-host.js';
import type { GitHubApp } from './github-host.js';
import { createGitHubHost } from './github-host.js';
import type { GitLabAccess } from './gitlab-host.js';
import { createGitLabHost } from './gitlab-host.js';

/** How the hosts of the settings are reached. Plain data: a thread receives a copy. */
export interface GitConnections {
  readonly github?: GitHubApp & Served;
  readonly gitlab?: GitLabAccess & Served;
}

type Served = { readonly repositories: readonly string[] };

/** One host for all: each call goes to the one that serves the repository that it names. */
export function connectGitHosts({ github, gitlab }: GitConnections): GitHost {
  const served = [
    ...(github === undefined ? [] : [{ ...github, host: createGitHubHost(github) }]),
    ...(gitlab === undefined ? [] : [{ ...gitlab, host: createGitLabHost(gitlab) }]),
  ];
  const hostOf = (repository: string): GitHost => {
    const found = served.find(({ repositories }) => repositories.includes(repository));
    if (found === undefined) throw new Error('a repository that no host of the settings serves');
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
