import { compareText } from './cluster-objects.js';
import type { Pod } from './pod.js';

/** What names a pod in sets: its uid, or namespace/name for a pod that has none yet. */
export function podKey(pod: Pod): string {
  return pod.metadata.uid === '' ? `${pod.metadata.namespace}/${pod.metadata.name}` : pod.metadata.uid;
}

export function byPodName(a: Pod, b: Pod): number {
  return (
    compareText(a.metadata.namespace, b.metadata.namespace) ||
    compareText(a.metadata.name, b.metadata.name) ||
    compareText(podKey(a), podKey(b))
  );
}
