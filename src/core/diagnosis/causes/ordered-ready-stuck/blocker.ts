import { containersInCrashLoop, isActive, isReady, type Pod } from '../../../cluster/pod.js';
import type { ServerVersion } from '../../../cluster/server-version.js';
import type { Snapshot } from '../../../cluster/snapshot.js';
import type { Placement } from '../../../placement/placement.js';
import { forecastChange } from '../../../remediation/forecast-change.js';
import { podRevisionName, statefulSetRevisions } from '../../../rollout/controller-revisions.js';
import { restState } from '../../../rollout/fixed-point.js';
import { rolloutStateOf, type StatefulSetState } from '../../../rollout/rollout-state.js';
import { ordinalOf } from '../../../rollout/stateful-set-status.js';
import { syncStatefulSet } from '../../../rollout/stateful-set-sync.js';
import { podSimulatorOf } from '../../pod-oracle-of.js';

/** The pod that a StatefulSet waits for before it updates any, of a revision that nobody wants any more. */
export interface Blocker {
  readonly state: StatefulSetState;
  readonly pod: Pod;
  readonly revision: string;
  /** Set where the controller waits only under the rule of this server's version (`MaxUnavailableRule`). */
  readonly byVersion: ServerVersion | undefined;
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
 * In order, the controller waits for every pod. In parallel it does so in 1.35.0 to 1.35.3 only, where old
 * pods that are not ready use `maxUnavailable` up (kubernetes/kubernetes#137409).
 *
 * `undefined` when the controller does not wait for a pod to become ready, that pod may still become so, or
 * deleting it would bring back the same revision (below the partition, or because it is the wanted one): then
 * the revision is the trouble, not the order.
 */
export function blockerOf(snapshot: Snapshot, placement: Placement): Blocker | undefined {
  const state = rolloutStateOf(snapshot);
  if (state.kind !== 'StatefulSet') return undefined;
  const { metadata, spec, status } = state.statefulSet;
  if (spec.updateStrategy.type !== 'RollingUpdate') return undefined;
  if (metadata.deletionTimestamp !== undefined) return undefined;
  if (status.observedGeneration < (metadata.generation ?? 0)) return undefined;
  const byVersion = spec.podManagementPolicy === 'Parallel' ? snapshot.index.serverVersion : undefined;
  const { actions, waitsFor } = syncStatefulSet(state);
  if (actions.length > 0 || waitsFor?.until !== 'ready') return undefined;
  const pod = spec.podManagementPolicy === 'Parallel' ? outdatedBlocker(state) : waitsFor.pod;
  if (pod === undefined || !isHopeless(state, pod)) return undefined;
  const forecast = forecastChange(
    state,
    { kind: 'delete-pod', pod: pod.metadata.name },
    podSimulatorOf({ snapshot, placement }),
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
    byVersion,
    wanted,
    completes: forecast.ends === 'complete',
    well: others.filter((each) => isReady(each) && podRevisionName(each) === wanted),
    alike: others.filter((each) => !isReady(each) && podRevisionName(each) !== wanted),
  };
}

/**
 * `undefined` where a pod of the wanted revision is not ready either: then that revision may be the trouble.
 */
function outdatedBlocker(state: StatefulSetState): Pod | undefined {
  if (state.maxUnavailable.rule !== 'as-in-1.35') return undefined;
  const update = statefulSetRevisions(state)?.update;
  const partition = state.statefulSet.spec.updateStrategy.rollingUpdate?.partition ?? 0;
  const start = state.statefulSet.spec.ordinals?.start ?? 0;
  const broken = state.pods.filter((pod) => isActive(pod) && !isReady(pod));
  if (broken.some((pod) => podRevisionName(pod) === update)) return undefined;
  return broken
    .filter((pod) => ordinalOf(pod) - start >= partition)
    .sort((a, b) => ordinalOf(a) - ordinalOf(b))[0];
}

/** Waiting reasons of a container that does not start at all. */
const failing: ReadonlySet<string> = new Set([
  'ImagePullBackOff',
  'ErrImagePull',
  'ErrImageNeverPull',
  'InvalidImageName',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
]);

function isHopeless(state: StatefulSetState, pod: Pod): boolean {
  if (containersInCrashLoop(pod).length > 0) return true;
  const { containerStatuses, initContainerStatuses } = pod.status;
  const statuses = [...initContainerStatuses, ...containerStatuses];
  if (statuses.some(({ state: now }) => failing.has(now.waiting?.reason ?? ''))) return true;
  return restState(state).kind === 'fixed';
}
