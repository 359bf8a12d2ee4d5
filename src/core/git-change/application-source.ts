import type { Application, ApplicationSource } from '../cluster/gitops.js';
import { refusedSource, type StatedSource } from './stated-source.js';

/** Fields of `kustomize` that leave the fields of our fixes as the manifest declares them. */
const harmless: ReadonlySet<string> = new Set([
  ...['images', 'replicas', 'namespace', 'version', 'kubeVersion', 'apiVersions'],
  ...['commonLabels', 'commonAnnotations', 'forceCommonLabels', 'forceCommonAnnotations'],
  ...['commonAnnotationsEnvsubst', 'labelWithoutSelector', 'labelIncludeTemplates'],
]);

/** What an Application states about each source from which it reads manifests. */
export function applicationSource({ spec, status }: Application): readonly StatedSource[] {
  if (spec.sourceHydrator) return [refusedSource('hydrated')];
  const { sources, source } = spec;
  if (sources.length === 0) {
    return source === undefined ? [] : [statedBy(source, appliedBy(status).revision, status.sourceType)];
  }
  const { revisions } = appliedBy(status);
  return sources.flatMap((each, at) => {
    // A source with a name and no path holds values for the others.
    const isValuesOnly = each.ref !== '' && each.path === '' && each.chart === '';
    return isValuesOnly ? [] : [statedBy(each, revisions[at] ?? '', status.sourceTypes[at] ?? '')];
  });
}

const nothing = { revision: '', revisions: [] } as const;

/**
 * What the last sync applied. `status.sync` holds what was compared, which is what the cluster has only where the two
 * agree (argo-cd `controller/state.go: CompareAppState`).
 */
function appliedBy({ sync, operationState }: Application['status']) {
  if (sync?.status === 'Synced') return sync;
  const hasFailed = operationState?.phase === 'Failed' || operationState?.phase === 'Error';
  return (hasFailed ? undefined : operationState?.syncResult) ?? nothing;
}

function statedBy(source: ApplicationSource, applied: string, type: string): StatedSource {
  const { repoURL, path, targetRevision, chart, helm, plugin, kustomize, directory } = source;
  if (chart !== '') return refusedSource('chart', chart);
  if (helm || type === 'Helm') return refusedSource('chart', path);
  if (plugin || type === 'Plugin') return refusedSource('plugin');
  const changing = kustomize.find((name) => !harmless.has(name));
  if (changing !== undefined) return refusedSource('transformed', `kustomize.${changing}`);
  const filter = (['include', 'exclude'] as const).find((name) => (directory?.[name] ?? '') !== '');
  if (filter !== undefined) return refusedSource('transformed', `directory.${filter}`);
  return {
    type: 'stated',
    address: repoURL,
    revision: targetRevision,
    applied,
    path,
    isFlat: directory?.recurse !== true,
    readsOutside: false,
  };
}
