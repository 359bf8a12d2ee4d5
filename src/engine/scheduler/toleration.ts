import type { Taint } from '../objects/node.js';
import type { Toleration } from '../objects/pod-spec.js';

/**
 * `api core/v1 toleration.go: ToleratesTaint`. The comparison operators Lt and Gt, off by default in 1.36,
 * tolerate nothing.
 */
export function tolerates(toleration: Toleration, taint: Pick<Taint, 'key' | 'value' | 'effect'>): boolean {
  if (toleration.effect !== '' && toleration.effect !== taint.effect) return false;
  if (toleration.key !== '' && toleration.key !== taint.key) return false;
  if (toleration.operator === 'Exists') return true;
  return (toleration.operator === 'Equal' || toleration.operator === '') && toleration.value === taint.value;
}

/** Taints that keep a new pod away and that none of the tolerations covers. */
export function untoleratedTaints(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
): readonly Taint[] {
  if (taints.length === 0) return taints;
  return taints.filter(
    (taint) =>
      (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&
      !tolerations.some((toleration) => tolerates(toleration, taint)),
  );
}
