import type { WorkloadKind } from '../cluster/workload.js';

/** Names that `kubectl api-resources` lists for the kinds under diagnosis: plural, singular, short. */
const spellings: ReadonlyMap<string, WorkloadKind> = new Map([
  ['deployments', 'Deployment'],
  ['deployment', 'Deployment'],
  ['deploy', 'Deployment'],
  ['statefulsets', 'StatefulSet'],
  ['statefulset', 'StatefulSet'],
  ['sts', 'StatefulSet'],
  ['daemonsets', 'DaemonSet'],
  ['daemonset', 'DaemonSet'],
  ['ds', 'DaemonSet'],
]);

/** Kinds that people name when they mean the workload that owns them. */
const owned: ReadonlySet<string> = new Set(['pods', 'pod', 'po', 'replicasets', 'replicaset', 'rs']);

/** `deploy`, `Deployments`, `statefulset.apps`, `deployments.v1.apps` and the like. */
export function workloadKindOf(word: string): WorkloadKind | undefined {
  return spellings.get(
    word
      .toLowerCase()
      .replace(/\.(?:v1\.)?apps$/u, '')
      .replace(/\.$/u, ''),
  );
}

/** A Pod or ReplicaSet: these belong to a workload, which has to be named instead. */
export function isOwnedKind(word: string): boolean {
  return owned.has(word.toLowerCase().replace(/\.(?:v1\.)?apps$/u, ''));
}
