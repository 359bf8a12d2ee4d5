import { controllerOf } from '../../objects/metadata.js';
import type { StatefulSet } from '../../objects/workload.js';
import type { LeaderWorkerSetState, StatefulSetState } from '../rollout-state.js';

/** What the StatefulSet controller sees of one of the StatefulSets. */
export function statefulSetStateOf(state: LeaderWorkerSetState, statefulSet: StatefulSet): StatefulSetState {
  const { uid } = statefulSet.metadata;
  return {
    kind: 'StatefulSet',
    statefulSet,
    controllerRevisions: state.controllerRevisions.filter((each) => controllerOf(each)?.uid === uid),
    pods: state.pods.filter((pod) => controllerOf(pod)?.uid === uid),
    maxUnavailable: state.maxUnavailable,
    now: state.now,
  };
}
