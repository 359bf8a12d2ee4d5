import { isNamespaceName } from '../command/object-name.js';
import type { Alert } from './alert.js';
import { clusterLabels, firstLabel, namespaceLabels } from './label-names.js';

/**
 * Whose share of the time an alert takes, before it is known what it is about: the cluster and namespace that its labels
 * name, or its source where they name none.
 */
export function shareOfAlert({ labels, source }: Pick<Alert, 'labels' | 'source'>): string {
  const namespace = firstLabel(labels, namespaceLabels);
  if (namespace === undefined || !isNamespaceName(namespace)) return source;
  return `${firstLabel(labels, clusterLabels) ?? ''}/${namespace}`;
}
