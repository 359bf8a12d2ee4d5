import * as z from 'zod';
import type { Immutable } from '../../engine/objects/wire.js';

const at = {
  /** `owner/name`. */
  repository: z.string(),
  /** `HEAD`: the default branch of the repository. */
  branch: z.string(),
  /** Relative to the root, without slashes at its ends; empty: the root. */
  path: z.string(),
  /** The commit that the owner has applied; absent where it is not known. */
  revision: z.string().optional(),
};

/** A file or a folder that a chart is rendered with. */
export const ChartSource = z.object({
  ...at,
  /** It is read at `revision`, whatever its branch holds. */
  isPinned: z.boolean().optional(),
});
export type ChartSource = Immutable<z.output<typeof ChartSource>>;

/** A Helm chart that renders the workload, and where its values come from. */
export const GitChart = z.object({
  release: z.object({ name: z.string(), namespace: z.string() }),
  folder: ChartSource,
  /** Files with values, the one that counts most last; without any, the values of the chart itself count. */
  files: z.array(ChartSource),
  /** Files that do not exist are left out. */
  mayLackFiles: z.boolean().optional(),
  /** What the owner sets after the files: the fields that do so, and the keys of their values. */
  overrides: z.array(z.object({ by: z.string(), path: z.array(z.string()) })),
  /**
   * The object that holds the values that count most, and the field in which it does; its place is the
   * target.
   */
  holder: z
    .object({
      apiGroup: z.string(),
      kind: z.string(),
      namespace: z.string(),
      name: z.string(),
      field: z.array(z.string()),
    })
    .optional(),
  /** Of the chart that is installed, where it is known. */
  version: z.string().optional(),
});
export type GitChart = Immutable<z.output<typeof GitChart>>;

/** A folder or a file of a branch. */
export const GitPlace = z.object({
  ...at,
  /** The owner applies only the files of the folder itself. */
  isFlat: z.boolean().optional(),
  /** The owner lets a kustomization read files outside its folder, as Flux does. */
  readsOutside: z.boolean().optional(),
  /** The workload is rendered by this chart: the edit is one of its values, in a file of this repository. */
  chart: GitChart.optional(),
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
  /**
   * What the target became when it was read: the source that declares the workload, and the name of its
   * branch.
   */
  place: GitPlace.optional(),
  file: z.string(),
  line: z.number(),
  /** Blob of the file before the edit: the edit is the same as long as this is. */
  blob: z.string(),
  /** Changed lines with their context, each with its sign. */
  diff: z.array(z.string()),
  /** Of a value of a chart: which one, and the template that sets the field by it. */
  value: z
    .object({
      name: z.string(),
      field: z.string(),
      template: z.string(),
      line: z.number(),
      /** The file holds the defaults of the chart, or values for any release that names it. */
      isShared: z.boolean(),
      /** Files of the repository that name the changed file too. */
      users: z.array(z.string()),
    })
    .optional(),
});
export type GitEdit = Immutable<z.output<typeof GitEdit>>;

/**
 * Name of the branch of one change, valid for Git whatever the workload is called.
 *
 * @param changeId hexadecimal digest of what makes two changes the same
 */
export function branchOf({ namespace, name }: { namespace: string; name: string }, changeId: string): string {
  const readable = `${namespace}-${name}`
    .toLowerCase()
    .slice(0, 70)
    .split(/[^a-z0-9]/u)
    .filter((part) => part !== '')
    .join('-');
  return `rollout-doctor/${readable}-${changeId.slice(0, 8)}`;
}

/** An entry of a Git tree. */
export interface TreeEntry {
  readonly path: string;
  /** `100644`, `100755`, `120000` (symlink), `160000` (submodule). */
  readonly mode: string;
  /** Of the blob. */
  readonly sha: string;
  readonly size: number | undefined;
}

export interface TreeFile extends TreeEntry {
  readonly text: string;
}
