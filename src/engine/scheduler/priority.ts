import type { Pod } from '../objects/pod.js';

/** `component-helpers corev1: PodPriority`. */
export function priorityOf(pod: Pod): number {
  return pod.spec.priority ?? 0;
}
