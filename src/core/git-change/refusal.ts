import * as z from 'zod';

/** Why a change cannot be made in Git without a person; see `text.ts`. */
export const gitRefusalReasons = [
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
  /** What stands against it there: a field or an entry of a kustomization, or the files that use the same manifest. */
  readonly detail?: string;
}

export function gitRefusal(reason: GitRefusalReason, line?: number): GitRefusal {
  return { type: 'refusal', reason, ...(line === undefined ? {} : { line }) };
}
