import type {
  Application,
  ApplicationHelm,
  ApplicationSource,
  RepositoryAddress,
} from '../../engine/objects/gitops.js';
import type { GitChart } from './git-target.js';

/** Fields of `kustomize` that leave the fields of our fixes as the manifest declares them. */
const harmless: ReadonlySet<string> = new Set([
  ...['images', 'replicas', 'namespace', 'version', 'kubeVersion', 'apiVersions'],
  ...['commonLabels', 'commonAnnotations', 'forceCommonLabels', 'forceCommonAnnotations'],
  ...['commonAnnotationsEnvsubst', 'labelWithoutSelector', 'labelIncludeTemplates'],
]);

/** What an Application states about each source from which it reads manifests. */
export function applicationSource({ metadata, spec, status }: Application): readonly StatedSource[] {
  if (spec.sourceHydrator) return [refusedSource('hydrated')];
  const { sources, source, destination } = spec;
  const release = { name: metadata.name, namespace: destination?.namespace ?? '' };
  const context = { release, referred: new Map<string, StatedFile>() };
  if (sources.length === 0) {
    if (source === undefined) return [];
    return [statedBy(source, { applied: appliedBy(status).revision, type: status.sourceType }, context)];
  }
  const { revisions } = appliedBy(status);
  for (const [at, { ref, repoURL, targetRevision }] of sources.entries()) {
    const applied = revisions[at] ?? '';
    if (ref !== '')
      context.referred.set(ref, { address: repoURL, revision: targetRevision, applied, path: '' });
  }
  return sources.flatMap((each, at) => {
    // A source with a name and no path holds values for the others.
    const isValuesOnly = each.ref !== '' && each.path === '' && each.chart === '';
    const known = { applied: revisions[at] ?? '', type: status.sourceTypes[at] ?? '' };
    return isValuesOnly ? [] : [statedBy(each, known, context)];
  });
}

/** What value files and names of objects may refer to. */
type Context = { readonly release: GitChart['release']; readonly referred: ReadonlyMap<string, StatedFile> };

const nothing = { revision: '', revisions: [] } as const;

/**
 * What the last sync applied. `status.sync` holds what was compared, which is what the cluster has only where
 * the two agree (argo-cd `controller/state.go: CompareAppState`).
 */
function appliedBy({ sync, operationState }: Application['status']) {
  if (sync?.status === 'Synced') return sync;
  const hasFailed = operationState?.phase === 'Failed' || operationState?.phase === 'Error';
  return (hasFailed ? undefined : operationState?.syncResult) ?? nothing;
}

function statedBy(
  source: ApplicationSource,
  { applied, type }: { applied: string; type: string },
  context: Context,
): StatedSource {
  const { repoURL, path, targetRevision, chart, helm, plugin, kustomize, directory } = source;
  if (chart !== '') return refusedSource('chart', chart);
  if (plugin || type === 'Plugin') return refusedSource('plugin');
  const changing = kustomize.find((name) => !harmless.has(name));
  if (changing !== undefined) return refusedSource('transformed', `kustomize.${changing}`);
  const filter = (['include', 'exclude'] as const).find((name) => (directory?.[name] ?? '') !== '');
  if (filter !== undefined) return refusedSource('transformed', `directory.${filter}`);
  const place = { address: repoURL, revision: targetRevision, applied, path };
  const stated = {
    type: 'stated',
    ...place,
    isFlat: directory?.recurse !== true,
    readsOutside: false,
  } as const;
  if (helm === undefined && type !== 'Helm') return stated;
  const rendered = helmOf(helm, place, context);
  return 'type' in rendered ? rendered : { ...stated, helm: rendered };
}

/** How the chart in this folder is rendered (argo-cd `docs/user-guide/helm.md`: later values count more). */
function helmOf(
  helm: ApplicationHelm | undefined,
  folder: StatedFile,
  { release, referred }: Context,
): StatedHelm | SourceRefused {
  const name = helm?.releaseName || release.name;
  const namespace = helm?.namespace || release.namespace;
  const files: StatedFile[] = [];
  for (const named of helm?.valueFiles ?? []) {
    const file = valueFile(named, folder, referred);
    if (file === undefined) return refusedSource('chart-file', named);
    files.push(file);
  }
  const set = (by: string, paths: readonly (readonly string[])[]) =>
    paths.map((keys) => ({ by, path: [...keys] }));
  return {
    release: { name, namespace },
    files,
    mayLackFiles: helm?.ignoreMissingValueFiles === true,
    overrides: [
      ...set('helm.valuesObject', helm?.valuesObject ?? []),
      // Argo CD reads `values` only without a `valuesObject`; either way nothing is edited below it.
      ...set('helm.values', helm?.values ?? []),
      ...set('helm.parameters', (helm?.parameters ?? []).map(keysOfParameter)),
      ...set('helm.fileParameters', (helm?.fileParameters ?? []).map(keysOfParameter)),
    ],
  };
}

/**
 * `$NAME/PATH` is a file of the source with that `ref`. URLs, patterns and variables name no file of a tree.
 */
function valueFile(
  named: string,
  folder: StatedFile,
  referred: ReadonlyMap<string, StatedFile>,
): StatedFile | undefined {
  const [, ref, rest = ''] = /^\$([^/]+)\/(.+)$/u.exec(named) ?? [];
  const source = ref === undefined ? folder : referred.get(ref);
  const path = ref === undefined ? pathFrom(folder.path, named) : pathFrom('', rest);
  const isFile = !/[*?[\]{}$]|:\/\//u.test(ref === undefined ? named : rest);
  return source === undefined || path === undefined || !isFile ? undefined : { ...source, path };
}

/** `a.b[0].c` of `helm --set`; a dot in a key is escaped. What a list holds belongs to the list. */
function keysOfParameter(name: string): readonly string[] {
  const [path = ''] = name.split('[');
  return path
    .split(/(?<!\\)\./u)
    .filter((key) => key !== '')
    .map((key) => key.replaceAll('\\', ''));
}

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
interface StatedHelm extends Pick<GitChart, 'release' | 'mayLackFiles' | 'overrides'> {
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
