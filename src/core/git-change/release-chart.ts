import type { HelmRelease } from '../cluster/gitops.js';
import type { GitChart } from './git-target.js';
import { pathFrom, refusedSource, type SourceRefused } from './stated-source.js';

/** Helm allows no longer name of a release; Flux shortens longer ones with a digest. */
const maxReleaseName = 53;

/**
 * What a HelmRelease states about its chart. Its `values` count most, so they are edited; values of
 * ConfigMaps and Secrets are not followed (fluxcd/helm-controller `docs/spec/v2/helmreleases.md`).
 */
export function releaseChart({
  metadata,
  spec,
  status,
}: HelmRelease):
  | { readonly type: 'chart'; readonly path: string; readonly chart: Omit<GitChart, 'folder'> }
  | SourceRefused {
  const { releaseName, targetNamespace, valuesFrom, postRenderers, chartRef } = spec;
  const chart = spec.chart?.spec;
  if (chartRef || chart === undefined) return refusedSource('chart', 'chartRef');
  if (chart.sourceRef?.kind !== 'GitRepository') return refusedSource('chart', chart.chart);
  if (valuesFrom.length > 0) return refusedSource('values-from');
  if (postRenderers.length > 0) return refusedSource('transformed', 'postRenderers');
  const others = chart.valuesFile !== '' || chart.valuesFiles.length > 0;
  if (others) return refusedSource('transformed', 'chart.spec.valuesFiles');
  const path = pathFrom('', chart.chart);
  if (path === undefined) return refusedSource('path', chart.chart);
  const { name, namespace } = metadata;
  const composed = targetNamespace === '' ? name : `${targetNamespace}-${name}`;
  const release = releaseName === '' ? composed : releaseName;
  if (release.length > maxReleaseName) return refusedSource('transformed', 'releaseName');
  const [newest] = status.history;
  return {
    type: 'chart',
    path,
    chart: {
      release: { name: release, namespace: targetNamespace === '' ? namespace : targetNamespace },
      files: [],
      overrides: [],
      holder: {
        apiGroup: 'helm.toolkit.fluxcd.io',
        kind: 'HelmRelease',
        namespace,
        name,
        field: ['spec', 'values'],
      },
      version: newest?.chartVersion ?? '',
    },
  };
}
