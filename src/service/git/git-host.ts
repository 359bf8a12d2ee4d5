import type { TreeEntry } from '../../doctor/git-edits/git-target.js';
import type { MergeHindrance } from '../../doctor/incidents/pull-request.js';

/** A branch as it is at this moment. */
interface HostBranch {
  readonly name: string;
  /** Its newest commit. */
  readonly head: string;
  readonly message: string;
  readonly entries: readonly TreeEntry[];
}

/** A commit of a file. */
export interface HostCommit {
  readonly sha: string;
  /** RFC3339. */
  readonly at: string;
}

/** A pull request as its host reports it. */
export interface HostPullRequest {
  readonly number: number;
  readonly url: string;
  readonly state: 'open' | 'merged' | 'closed';
  /** What the host reports against merging an open one. */
  readonly hindrance: MergeHindrance | undefined;
}

/**
 * Trees of Git repositories.
 *
 * Every function, as of `PullRequestHost`, throws DoctorError `git-unavailable`, retryable, while the host
 * does not answer or asks to wait, and `git-refused`, with a sentence for people, where it refuses for good
 * or answers too much.
 */
export interface TreeReader {
  /** @param name `HEAD` for the default branch @returns `undefined` where the branch does not exist */
  branch(repository: string, name: string): Promise<HostBranch | undefined>;
  /** All files of a commit; `undefined` where the repository has no such commit. */
  tree(repository: string, commit: string): Promise<readonly TreeEntry[] | undefined>;
  /** The newest commits up to this one that changed a file, at most 20, the newest first. */
  commitsOf(repository: string, upTo: string, path: string): Promise<readonly HostCommit[]>;
  /** The text of a blob; `undefined` where it is larger than is read. */
  text(repository: string, sha: string): Promise<string | undefined>;
}

/** Branches and pull requests. It creates them, and commits on new branches, and changes none that exist. */
export interface PullRequestHost {
  /** Those of a branch, open or not, the newest first. */
  pullRequestsOf(repository: string, branch: string): Promise<readonly HostPullRequest[]>;
  pullRequest(repository: string, number: number): Promise<HostPullRequest>;
  /**
   * Creates a branch with one commit on top of another one, in which one file has this text.
   *
   * @returns `lapsed` where the change was not allowed any more right before the branch; then there is no
   *   branch
   */
  createBranch(change: {
    readonly repository: string;
    readonly name: string;
    readonly onto: string;
    readonly entry: TreeEntry;
    readonly text: string;
    readonly message: string;
    readonly mayGoOn: () => Promise<boolean>;
  }): Promise<'created' | 'exists' | 'lapsed'>;
  openPullRequest(request: {
    readonly repository: string;
    readonly branch: string;
    readonly base: string;
    readonly title: string;
    readonly body: string;
  }): Promise<HostPullRequest | 'exists'>;
}

/** A host of Git repositories. */
export type GitHost = TreeReader & PullRequestHost;
