import { hasNode, isReady, isTerminal, isTerminating, type Pod } from '../cluster/pod.js';
import type { PodCause, PodFailure } from '../diagnosis/crashes/pod-failure.js';
import type { PodState } from '../diagnosis/picture.js';

/**
 * @param podFailures the failures of the pod
 * @param crashed whether the statistics count the pod as crashed or evicted in the last day
 */
export function podStateOf(pod: Pod, podFailures: readonly PodFailure[], crashed: boolean): PodState {
  if (isTerminating(pod)) return 'gone';
  // The kubelet rejects a pod before any run: no statistics of crashes count it.
  const isRejected = podFailures.some(({ cause, ongoing }) => ongoing && cause === 'kubelet-rejected');
  if (isTerminal(pod)) return crashed || isRejected ? 'failing' : 'gone';
  if (!hasNode(pod)) return 'waiting';
  const ongoing = podFailures.filter((podFailure) => podFailure.ongoing).map(({ cause }) => courses[cause]);
  for (const state of ['crashing', 'restarting', 'failing', 'not-ready'] as const) {
    if (ongoing.includes(state)) return state;
  }
  if (crashed) return 'crashed';
  return isReady(pod) ? 'ready' : 'not-ready';
}

/** The state of a pod with a node, by cause. */
const courses = {
  'application-crash': 'crashing',
  'out-of-memory': 'crashing',
  'node-out-of-memory': 'crashing',
  'bad-command': 'crashing',
  'process-exits-zero': 'restarting',
  'liveness-probe-kill': 'restarting',
  'startup-probe-kill': 'restarting',
  'config-missing': 'failing',
  'image-pull-failure': 'failing',
  'mount-failure': 'failing',
  'sandbox-failure': 'failing',
  'pod-start-stalled': 'failing',
  evicted: 'failing',
  'kubelet-rejected': 'failing',
  preempted: 'failing',
  'node-not-ready': 'failing',
  'init-container-stuck': 'not-ready',
  'readiness-failing': 'not-ready',
} as const satisfies Readonly<Record<PodCause, PodState>>;
