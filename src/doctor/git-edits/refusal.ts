import * as z from 'zod';

/** Why a change cannot be made in Git without a person; see `text.ts`. */
const gitRefusalReasons = [
  'not-declared',
  'declared-twice',
  'template',
  'kustomize',
  'not-built',
  'shared-base',
  'variable',
  'encrypted',
  'generated',
  'not-yaml',
  'symlink',
  'submodule',
  'too-large',
  'too-many-files',
  'alias',
  'anchor',
  'merge-key',
  'tag',
  'shape',
  'as-wanted',
  'not-verified',
  'no-git-form',
  'no-earlier-template',
  'stale-base',
  'no-revision',
  'chart-form',
  'chart-dependency',
  'chart-name',
  'chart-expression',
  'chart-condition',
  'chart-inserts',
  'chart-not-exposed',
  'chart-shared',
  'chart-overridden',
  'chart-schema',
  'chart-values-file',
  'chart-live',
  'chart-version',
  'chart-roll-back',
] as const;
const GitRefusalReason = z.enum(gitRefusalReasons);
export type GitRefusalReason = z.output<typeof GitRefusalReason>;

/** A change that the tree does not allow; file and line name the place where there is one. */
export interface GitRefusal {
  readonly type: 'refusal';
  readonly reason: GitRefusalReason;
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  /**
   * What stands against it there: a field or an entry of a kustomization, the files that use the same
   * manifest, or a field or value of a chart.
   */
  readonly detail?: string;
  /** Values of a chart that a person can set instead, as YAML. */
  readonly snippet?: string;
}

export function gitRefusal(reason: GitRefusalReason, line?: number): GitRefusal {
  return { type: 'refusal', reason, ...(line === undefined ? {} : { line }) };
}
