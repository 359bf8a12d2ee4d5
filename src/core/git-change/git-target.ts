import * as z from 'zod';
import type { Immutable } from '../cluster/wire.js';

/** A folder or a file of a branch. */
export const GitPlace = z.object({
  /** `owner/name`. */
  repository: z.string(),
  /** `HEAD`: the default branch of the repository. */
  branch: z.string(),
  /** Relative to the root, without slashes at its ends; empty: the root. */
  path: z.string(),
  /** The commit that the owner has applied; absent where only the settings name the place. */
  revision: z.string().optional(),
  /** The owner applies only the files of the folder itself. */
  isFlat: z.boolean().optional(),
  /** The owner lets a kustomization read files outside its folder, as Flux does. */
  readsOutside: z.boolean().optional(),
});
export type GitPlace = Immutable<z.output<typeof GitPlace>>;

/** Where Git declares a workload. */
export const GitTarget = GitPlace.extend({
  /** Further sources of the same owner: the one that declares the workload counts. */
  others: z.array(GitPlace).optional(),
});
export type GitTarget = Immutable<z.output<typeof GitTarget>>;

/** The difference that a pull request brings, as it was made from one state of the branch. */
export const GitEdit = z.object({
  /** What the target became when it was read: the source that declares the workload, and the name of its branch. */
  place: GitPlace.optional(),
  file: z.string(),
  line: z.number(),
  /** Blob of the file before the edit: the edit is the same as long as this is. */
  blob: z.string(),
  /** Changed lines with their context, each with its sign. */
  diff: z.array(z.string()),
});
export type GitEdit = Immutable<z.output<typeof GitEdit>>;

/**
 * Name of the branch of one change, valid for Git whatever the workload is called.
 *
 * @param changeId hexadecimal digest of what makes two changes the same
 */
export function branchOf(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  changeId: string,
): string {
  const readable = `${namespace}-${name}`
    .toLowerCase()
    .slice(0, 70)
    .split(/[^a-z0-9]/u)
    .filter((part) => part !== '')
    .join('-');
  return `rollout-doctor/${readable}-${changeId.slice(0, 8)}`;
}
