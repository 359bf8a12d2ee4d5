import { isActive, isReady, isTerminating, type Pod } from '../cluster/pod.js';
import { nowOf, type Snapshot } from '../cluster/snapshot.js';
import type { DeletePod } from '../remediation/kinds/delete-pod/plan.js';
import { rolloutStateOf } from '../rollout/rollout-state.js';

/** What has become of a deleted pod's replacement. */
export type Replacement =
  /** The deleted pod is still there. */
  | { readonly type: 'stopping' }
  | { readonly type: 'awaited' }
  | { readonly type: 'starting'; readonly pod: string; readonly node: string }
  | { readonly type: 'failing'; readonly pod: string; readonly node: string; readonly restarts: number }
  /** Ready for `seconds` without a restart; `enough`: as long as was asked for. */
  | {
      readonly type: 'ready';
      readonly pod: string;
      readonly node: string;
      readonly seconds: number;
      readonly enough: boolean;
    };

/** Clocks of this program and of the API server may differ by so much. */
const skewMilliseconds = 5_000;

/**
 * Looks for the pod made in place of the deleted one: of the same name, or the workload's first that was
 * created since the change.
 */
export function replacementOf(
  { pod: name, uid, mustStayReadySeconds }: DeletePod,
  appliedAt: string | undefined,
  snapshot: Snapshot,
): Replacement {
  const { pods } = rolloutStateOf(snapshot);
  const former = pods.find(({ metadata }) => metadata.uid === uid);
  const others = pods.filter((pod) => pod !== former && isActive(pod));
  const since = Date.parse(appliedAt ?? '') - skewMilliseconds;
  const replacement =
    others.find(({ metadata }) => metadata.name === name) ??
    others.filter((pod) => createdAt(pod) >= since).sort((a, b) => createdAt(a) - createdAt(b))[0];
  if (replacement === undefined) return former === undefined ? { type: 'awaited' } : { type: 'stopping' };
  if (former !== undefined && !isTerminating(former)) return { type: 'stopping' };
  const { metadata, spec, status } = replacement;
  const found = { pod: metadata.name, node: spec.nodeName ?? '' };
  const restarts = Math.max(0, ...status.containerStatuses.map(({ restartCount }) => restartCount));
  if (restarts > 0) return { type: 'failing', ...found, restarts };
  if (!isReady(replacement)) return { type: 'starting', ...found };
  const seconds = Math.max(0, (nowOf(snapshot) - readySince(replacement)) / 1000);
  return { type: 'ready', ...found, seconds, enough: seconds >= mustStayReadySeconds };
}

function createdAt({ metadata }: Pod): number {
  return Date.parse(metadata.creationTimestamp ?? '');
}

function readySince({ metadata, status }: Pod): number {
  const ready = status.conditions.find(({ type }) => type === 'Ready');
  return Date.parse(ready?.lastTransitionTime ?? metadata.creationTimestamp ?? '');
}
