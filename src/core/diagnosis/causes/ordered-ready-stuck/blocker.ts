import { isActive, isReady, type Pod } from '../../../cluster/pod.js';
import type { Snapshot } from '../../../cluster/snapshot.js';
import type { Placement } from '../../../placement/placement.js';
import { forecastChange } from '../../../remediation/forecast-change.js';
import { podRevisionName } from '../../../rollout/controller-revisions.js';
import { restState } from '../../../rollout/fixed-point.js';
import { rolloutStateOf, type StatefulSetState } from '../../../rollout/rollout-state.js';
import { syncStatefulSet } from '../../../rollout/stateful-set-sync.js';
import { podOracleOf } from '../../pod-oracle-of.js';

/** The pod an OrderedReady StatefulSet waits for, of a revision that nobody wants any more. */
export interface Blocker {
  readonly state: StatefulSetState;
  readonly pod: Pod;
  readonly revision: string;
  /** What its replacement would be. */
  readonly wanted: string;
  /** The engines see the rollout complete once it is deleted. */
  readonly completes: boolean;
  /** Ready pods that run the wanted revision already. */
  readonly well: readonly Pod[];
  /** Others that are not ready and not of the wanted revision. */
  readonly alike: readonly Pod[];
}

/**
 * `undefined` when the controller does not wait for a pod to become ready, that pod may still become so, or deleting it
 * would bring back the same revision (below the partition, or because it is the wanted one): then the revision is the
 * trouble, not the order.
 */
export function blockerOf(snapshot: Snapshot, placement: Placement): Blocker | undefined {
  const state = rolloutStateOf(snapshot);
  if (state.kind !== 'StatefulSet') return undefined;
  const { metadata, spec, status } = state.statefulSet;
  if (spec.podManagementPolicy === 'Parallel' || spec.updateStrategy.type !== 'RollingUpdate')
    return undefined;
  if (metadata.deletionTimestamp !== undefined) return undefined;
  if (status.observedGeneration < (metadata.generation ?? 0)) return undefined;
  const { actions, waitsFor } = syncStatefulSet(state, { maxUnavailable: false });
  if (actions.length > 0 || waitsFor?.until !== 'ready') return undefined;
  const { pod } = waitsFor;
  if (!isHopeless(state, pod)) return undefined;
  const forecast = forecastChange(
    state,
    { kind: 'delete-pod', pod: pod.metadata.name },
    podOracleOf({ snapshot, placement }),
  );
  const replacement = forecast.steps
    .flatMap(({ created }) => created)
    .find(({ metadata: made }) => made.name === pod.metadata.name);
  const revision = podRevisionName(pod);
  const wanted = replacement === undefined ? '' : podRevisionName(replacement);
  if (wanted === '' || revision === '' || wanted === revision) return undefined;
  const others = state.pods.filter((each) => each !== pod && isActive(each));
  return {
    state,
    pod,
    revision,
    wanted,
    completes: forecast.ends === 'complete',
    well: others.filter((each) => isReady(each) && podRevisionName(each) === wanted),
    alike: others.filter((each) => !isReady(each) && podRevisionName(each) !== wanted),
  };
}

/** Waiting reasons of a container that starts again and again, or not at all. */
const failing: ReadonlySet<string> = new Set([
  'CrashLoopBackOff',
  'ImagePullBackOff',
  'ErrImagePull',
  'ErrImageNeverPull',
  'InvalidImageName',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
]);

function isHopeless(state: StatefulSetState, pod: Pod): boolean {
  const { containerStatuses, initContainerStatuses } = pod.status;
  const statuses = [...initContainerStatuses, ...containerStatuses];
  if (statuses.some(({ state: now }) => failing.has(now.waiting?.reason ?? ''))) return true;
  return restState(state).kind === 'fixed';
}
