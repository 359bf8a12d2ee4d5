import type { WorkloadRef } from '../../engine/objects/workload.js';
import { isNamespaceName } from '../commands/object-name.js';
import type { Alert } from './alert.js';
import { clusterLabels, firstLabel, namespaceLabels } from './label-names.js';

/** Jobs of one fairness key wait for each other: clusters and namespaces are served in turn. */
export function fairnessKeyOf({ cluster, namespace }: Pick<WorkloadRef, 'cluster' | 'namespace'>): string {
  return `${cluster}/${namespace}`;
}

/**
 * The fairness key of an alert before its workload is known: the cluster and namespace that its labels name,
 * or its source if they name none.
 */
export function fairnessKeyOfAlert({ labels, source }: Pick<Alert, 'labels' | 'source'>): string {
  const namespace = firstLabel(labels, namespaceLabels);
  if (namespace === undefined || !isNamespaceName(namespace)) return source;
  return fairnessKeyOf({ cluster: firstLabel(labels, clusterLabels) ?? '', namespace });
}
