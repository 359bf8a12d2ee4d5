import type { LeaderWorkerSet } from '../../engine/objects/leader-worker-set.js';
import { isActive, isReady, type Pod } from '../../engine/objects/pod.js';
import { revisionNameOf } from '../../engine/objects/revisions.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { hasNoStatus } from '../../engine/objects/unrecorded.js';
import type { RevisionedService, Workload } from '../../engine/objects/workload.js';
import { hasGroups, hasPodPerNode, isRevisioned } from '../../engine/objects/workload.js';
import { deploymentsOfRevisions } from '../../engine/workloads/revisioned/pods.js';
import { podsOfFormerRevisions } from '../../engine/workloads/revisions.js';
import type { LeaderWorkerSetState, RevisionedState } from '../../engine/workloads/rollout-state.js';
import { rolloutStateOf, switchesRevisions } from '../../engine/workloads/rollout-state.js';

/** What the users of a workload are served by. */
interface Readiness {
  /**
   * Ready pods, by the workload's own status, where it has one. Of a LeaderWorkerSet, whose status counts
   * groups, the pods themselves.
   */
  readonly pods: number;
  readonly wanted: number;
  /**
   * Those of them that are of an earlier revision; absent where none is, or where the revisions are not
   * known.
   */
  readonly old?: number;
}

/** Ready pods of those wanted. */
export function readinessOf(snapshot: Snapshot): Readiness {
  const counted = countedIn(snapshot);
  const old = Math.min(counted.pods, readyPodsOfEarlierRevisions(snapshot).length);
  return { ...counted, ...(old === 0 ? {} : { old }) };
}

function countedIn(snapshot: Snapshot): Readiness {
  const state = rolloutStateOf(snapshot);
  const { workload } = snapshot;
  if (hasGroups(state) || hasGroups(workload)) {
    return hasGroups(state) ? podsOfGroups(state) : { pods: 0, wanted: 0 };
  }
  if (switchesRevisions(state)) return podsOfService(snapshot, state);
  if (isRevisioned(workload)) return { pods: 0, wanted: 0 };
  const counted = countedBy(workload);
  return hasNoStatus(workload) ? countedInPods(state.pods, counted.wanted) : counted;
}

/** The pods show what a status would state. A DaemonSet states only there how many it wants. */
function countedInPods(pods: readonly Pod[], wanted: number): Readiness {
  const active = pods.filter(isActive);
  return { pods: active.filter(isReady).length, wanted: wanted === 0 ? active.length : wanted };
}

/**
 * Its status counts no pods. Between updates, the autoscaler decides how many there are. During one, the
 * revisions that receive the traffic are counted, where there are any: the new one receives none yet.
 */
function podsOfService({ index }: Snapshot, state: RevisionedState): Readiness {
  const { revisions, spec } = state.service;
  const active = state.pods.filter(isActive);
  const serving = active.filter((pod) => revisionNameOf(revisions, pod) !== revisions.next);
  // Workers of a DynamoGraphDeployment serve as soon as they are ready.
  const isWhole = !('workers' in state.service) && serving.length > 0;
  const counted = isWhole ? serving : active;
  const ready = counted.filter(isReady).length;
  if (!isWhole && revisions.next !== undefined) return { pods: ready, wanted: spec.replicas };
  // A Deployment that replaces the pods of its revision has more of them for a while.
  const named = new Set(counted.map((pod) => revisionNameOf(revisions, pod)));
  const wanted = deploymentsOfRevisions(index, state.service)
    .filter(({ metadata }) => metadata.ownerReferences.some(({ name }) => named.has(name)))
    .reduce((sum, deployment) => sum + deployment.spec.replicas, 0);
  return wanted === 0 ? { pods: ready, wanted: counted.length } : { pods: Math.min(ready, wanted), wanted };
}

/** Its status counts groups. */
function podsOfGroups({ leaderWorkerSet, pods }: LeaderWorkerSetState): Readiness {
  const { replicas, leaderWorkerTemplate } = leaderWorkerSet.spec;
  const ready = pods.filter((pod) => isActive(pod) && isReady(pod)).length;
  return { pods: ready, wanted: replicas * leaderWorkerTemplate.size };
}

function countedBy(workload: Exclude<Workload, LeaderWorkerSet | RevisionedService>): Readiness {
  if (hasPodPerNode(workload)) {
    return { pods: workload.status.numberReady, wanted: workload.status.desiredNumberScheduled };
  }
  return { pods: workload.status.readyReplicas, wanted: workload.spec.replicas };
}

function readyPodsOfEarlierRevisions(snapshot: Snapshot): readonly Pod[] {
  return podsOfFormerRevisions(rolloutStateOf(snapshot)).filter((pod) => isActive(pod) && isReady(pod));
}
