import type { GitHost } from '../../usecases/git/git-host.js';

/** The repositories that one host serves. */
export interface ServedRepositories {
  readonly repositories: readonly string[];
  readonly host: GitHost;
}

/** One host for all: each call goes to the one whose repository it names. @throws RangeError for any other repository */
export function routeByRepository(served: readonly ServedRepositories[]): GitHost {
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
