import type { RepositoryAddress } from '../../engine/objects/repository-address.js';
import type { GitChart } from './git-target.js';

/** Why the objects of an owner lead to no place in Git; see `usecases/git/source-text.ts`. */
const sourceRefusals = [
  'unread',
  'missing',
  'no-source',
  'not-git',
  'chart',
  'chart-file',
  'values-from',
  'undeclared-release',
  'plugin',
  'hydrated',
  'transformed',
  'pinned',
  'not-synced',
  'path',
  'other-host',
  'not-allowed',
] as const;
export type SourceRefusal = (typeof sourceRefusals)[number];

/** What an owner states about one of its sources, before the settings are asked. */
export type StatedSource =
  | {
      readonly type: 'stated';
      readonly address: RepositoryAddress | undefined;
      /** A branch, tag, commit or range; empty: the default branch. */
      readonly revision: string;
      /** The commit that was applied; empty where it is not known. */
      readonly applied: string;
      readonly path: string;
      readonly isFlat: boolean;
      /** Kustomize may read any file of the repository. */
      readonly readsOutside: boolean;
      /** The folder holds a chart. */
      readonly helm?: StatedHelm;
    }
  | SourceRefused;

/** How an owner renders a chart. */
export interface StatedHelm extends Pick<GitChart, 'release' | 'mayLackFiles' | 'overrides'> {
  readonly files: readonly StatedFile[];
}

/** A file or folder that an owner names. */
export type StatedFile = Pick<Stated, 'address' | 'revision' | 'applied' | 'path'>;
type Stated = Extract<StatedSource, { readonly type: 'stated' }>;

export interface SourceRefused {
  readonly type: 'refused';
  readonly because: SourceRefusal;
  /** The part that stands against it: a kind, a host, a repository, a revision or a field. */
  readonly detail: string;
}

export function refusedSource(because: SourceRefusal, detail = ''): SourceRefused {
  return { type: 'refused', because, detail };
}

/** A Git range of versions, as Argo CD and Flux read it: `^1.2`, `>=1.0 <2`, `1.x`, `*`. */
const range = /[\^~<>=*|\s]|^v?\d+(?:\.\d+)*\.x$/u;
const commit = /^[0-9a-f]{7,64}$/u;

/**
 * The branch that a revision names; `HEAD` for the default one. `undefined` for a commit, a tag that says so,
 * or a range of versions: a pull request changes nothing there until a person moves the revision. A name may
 * still be a tag's; then the host has no such branch.
 */
export function branchNamedBy(revision: string): string | undefined {
  if (revision === '' || revision === 'HEAD') return 'HEAD';
  const name = revision.replace(/^refs\/heads\//u, '');
  return name.startsWith('refs/') || commit.test(name) || range.test(name) ? undefined : name;
}

/** A path without `./` and slashes at its ends; `undefined` where it leaves the repository. */
export function pathInRepository(path: string): string | undefined {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.includes('..') ? undefined : parts.join('/');
}

/**
 * A path from a folder; from the root where it starts with a slash. `undefined` where it leaves the
 * repository.
 */
export function pathFrom(folder: string, path: string): string | undefined {
  const parts: string[] = [];
  for (const part of `${path.startsWith('/') ? '' : folder}/${path}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}
