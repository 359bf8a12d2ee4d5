import type { NamedPod } from '../../doctor/alerts/subject.js';
import type { NamedWorkload } from '../../doctor/commands/command.js';
import { nearestTo } from '../../doctor/commands/resolve-workload.js';
import { isClusterVisible, type Sight } from '../../doctor/policy/view.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import type { Located } from '../alerts/alert-ports.js';
import type { Found, NotFound, Unreadable } from '../diagnose/cluster-reader.js';

/**
 * All workloads that a name may mean, asked of all clusters at once unless one is named. A cluster that does
 * not answer is only reported when no other one knows the name. What the sight does not cover is left out of
 * each answer before anything is decided, so that it reads like what does not exist and takes the same
 * requests.
 */
export async function findInClusters(
  clusters: readonly Pick<ClusterNames, 'cluster' | 'find'>[],
  query: NamedWorkload,
  sight: Sight,
  signal: AbortSignal,
): Promise<Found> {
  const visible = clusters.filter(({ cluster }) => isClusterVisible(sight, cluster));
  const asked =
    query.cluster === undefined ? visible : visible.filter(({ cluster }) => cluster === query.cluster);
  if (asked.length === 0 && query.cluster === undefined) return nothingFound(query.name);
  if (asked.length === 0) {
    const names = visible.map(({ cluster }) => cluster);
    return {
      type: 'not-found',
      what: 'cluster',
      name: query.cluster ?? '',
      nearest: nearestTo(query.cluster ?? '', names, (name) => name),
      known: names,
    };
  }
  const answers = await Promise.all(asked.map((each) => each.find(query, sight, signal)));
  const workloads = answers.flatMap((answer) => (answer.type === 'found' ? answer.workloads : []));
  if (workloads.length > 0) return { type: 'found', workloads };
  const failed = answers.find((answer) => answer.type === 'unreadable');
  if (failed !== undefined) return failed;
  const missing = answers.filter((answer): answer is NotFound => answer.type === 'not-found');
  return (
    missing.find(({ what }) => what === 'below') ??
    missing.find(({ isNamespace, ofOtherKind }) => isNamespace === true || ofOtherKind !== undefined) ??
    missing.find(({ what }) => what === 'workload' || what === 'owner') ??
    missing[0] ??
    nothingFound(query.name)
  );
}

/** No visible workload is meant by the query: what has its name, and what is near. */
export function noneOf(query: NamedWorkload, visible: readonly WorkloadRef[]): NotFound {
  const { kind, namespace, name } = query;
  const inPlace = visible.filter((each) => namespace === undefined || each.namespace === namespace);
  const ofOtherKind = inPlace.filter(
    (each) => kind !== undefined && each.kind !== kind && each.name === name,
  );
  const near = nearestTo(
    name,
    inPlace.filter((each) => kind === undefined || each.kind === kind),
    (each) => each.name,
  );
  return {
    type: 'not-found',
    what: 'workload',
    name: namespace === undefined ? name : `${namespace}/${name}`,
    nearest: [...new Set(near.map((each) => `${each.namespace}/${each.name}`))],
    ...(namespace === undefined && visible.some((each) => each.namespace === name)
      ? { isNamespace: true }
      : {}),
    ...(ofOtherKind.length === 0 ? {} : { ofOtherKind }),
  };
}

export function nothingFound(name: string): NotFound {
  return { type: 'not-found', what: 'workload', name, nearest: [] };
}

/** Where pods that are not ready are looked for. */
type SufferingPlace = { readonly node: string } | { readonly namespace: string };

/**
 * What one cluster answers about names. The answers hold names only, so that a worker can give them to a
 * process that has no credentials for the cluster.
 */
export interface ClusterNames {
  readonly cluster: string;
  find(query: NamedWorkload, sight: Sight, signal: AbortSignal): Promise<Found>;
  /** The workloads of that name that exist. */
  named(query: NamedWorkload, sight: Sight, signal: AbortSignal): Promise<Located | Unreadable>;
  /** Follows the controllers of a pod that exists up to the workload. */
  ownerOf(pod: NamedPod, sight: Sight, signal: AbortSignal): Promise<Located | Unreadable>;
  /** Workloads with pods there that are not ready. */
  suffering(place: SufferingPlace, sight: Sight, signal: AbortSignal): Promise<Located | Unreadable>;
}
