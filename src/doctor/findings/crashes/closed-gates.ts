import { conditionOf } from '../../../engine/objects/metadata.js';
import { isReady, type Pod } from '../../../engine/objects/pod.js';

/** A readiness gate whose condition is not True. */
export interface ClosedGate {
  /** Type of the condition, as the pod template names it. */
  readonly type: string;
  /** Status of the condition; absent when no controller has set it. */
  readonly status: string | undefined;
}

/** A load balancer may take some minutes to register a pod. */
const patienceSeconds = 300;

/**
 * The gates that keep a pod unready although all its containers are (kubernetes
 * `pkg/kubelet/status/generate.go: GeneratePodReadyCondition`). None while containers are not ready, or
 * within five minutes of the last change.
 *
 * @param now epoch milliseconds
 */
export function closedGatesOf(pod: Pod, now: number): readonly ClosedGate[] {
  const { spec, status } = pod;
  if (spec.readinessGates.length === 0 || isReady(pod)) return [];
  const containers = conditionOf(status, 'ContainersReady');
  if (containers?.status !== 'True') return [];
  const changes = [containers, conditionOf(status, 'Ready')].map((condition) =>
    Date.parse(condition?.lastTransitionTime ?? ''),
  );
  const waited = Math.min(...changes.filter((time) => !Number.isNaN(time)).map((time) => now - time));
  if (!Number.isFinite(waited) || waited <= patienceSeconds * 1000) return [];
  return spec.readinessGates
    .map(({ conditionType: type }) => ({ type, status: conditionOf(status, type)?.status }))
    .filter((gate) => gate.status !== 'True');
}
