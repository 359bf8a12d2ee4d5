import type { Application, ApplicationHelm, ApplicationSource } from '../../engine/objects/gitops.js';
import type { GitChart } from './git-target.js';
import {
  pathFrom,
  refusedSource,
  type SourceRefused,
  type StatedFile,
  type StatedHelm,
  type StatedSource,
} from './stated-source.js';

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
interface Context {
  readonly release: GitChart['release'];
  readonly referred: ReadonlyMap<string, StatedFile>;
}

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
  { applied, type }: { readonly applied: string; readonly type: string },
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
