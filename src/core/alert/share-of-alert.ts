import { isNamespaceName } from '../command/object-name.js';
import type { Alert } from './alert.js';
import { clusterLabels, namespaceLabels } from './label-names.js';

/**
 * Whose share of the time an alert takes, before it is known what it is about: the cluster and namespace that its labels
 * name, or its source where they name none.
 */
export function shareOfAlert({ labels, source }: Pick<Alert, 'labels' | 'source'>): string {
  const first = (names: readonly string[]): string =>
    names.map((name) => labels[name] ?? '').find((value) => value !== '') ?? '';
  const namespace = first(namespaceLabels);
  return isNamespaceName(namespace) ? `${first(clusterLabels)}/${namespace}` : source;
}
