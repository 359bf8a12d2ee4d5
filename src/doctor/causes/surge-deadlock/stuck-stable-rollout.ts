import { podOfTemplate } from '../../../engine/creation/failed-creation.js';
import type { Statement } from '../../../engine/language/statement.js';
import { groupIndexOf, groupLabels, isLeader } from '../../../engine/objects/leader-worker-set.js';
import { hasNode, isActive, isReady, type Pod, podKey, podNames } from '../../../engine/objects/pod.js';
import { headGroup } from '../../../engine/objects/ray-service.js';
import { type Deployment, hasGroups, type Workload } from '../../../engine/objects/workload.js';
import type { Placement } from '../../../engine/scheduler/placement.js';
import { newGroupPods } from '../../../engine/workloads/leader-worker-set/leader-set.js';
import { deploymentsOfRevisions, partNameOf } from '../../../engine/workloads/revisioned/pods.js';
import {
  type DaemonSetState,
  type LeaderWorkerSetState,
  type RevisionedState,
  switchesRevisions,
} from '../../../engine/workloads/rollout-state.js';
import { fixesOfKind } from '../../findings/deadlock/fixes-of-kind.js';
import type { StableRollout } from '../../findings/deadlock/stable.js';
import { adviceOn, revisionsDoubts } from '../../findings/deadlock/stable-revisions.js';
import { groupsDoubts, stableRolloutOf } from '../../findings/deadlock/stable-rollout.js';
import { strategies } from '../../findings/deadlock/strategies-text.js';
import type { Fixes } from '../../findings/finding.js';
import { podSimulatorOf } from '../../findings/pod-simulator-of.js';
import type { Examination } from '../../findings/rule.js';
import { isUnschedulable } from '../../findings/stuck-rollout.js';
import { waiting, waiting as waitingStatement } from '../../findings/waiting/text.js';
import { blockageOf } from './blockage.js';
import { state as say } from './text.js';

/** What waits for a place. */
interface Waiting {
  /** New pods that the scheduler refuses. */
  readonly waiting: readonly [Pod, ...Pod[]];
  /** Of a group, one pod of the other template: for it, too, nothing else may be about to free a place. */
  readonly alsoWaiting?: readonly Pod[];
  /** Where it depends on the pod that waits. */
  readonly strategy?: Statement;
  /** What may let the controller go on after all, though it is likely not so. */
  readonly weakenedBy: readonly Statement[];
}

/** A deadlocked rollout, whatever its kind. */
export interface Stuck
  extends Waiting,
    Pick<StableRollout, 'holding' | 'strategy' | 'strategyFacts' | 'strategyEvidence'> {
  readonly workload: Workload;
  /** Absent of kinds that stop old pods by number. */
  readonly state?: StableRollout['state'];
  /**
   * The Deployment of one revision of the workload whose own rollout is stuck; absent where the workload's
   * is.
   */
  readonly inside?: Deployment;
  /** Why the controller takes no old pod. */
  readonly strategy: Statement;
  readonly remedies: (node: string, resource: string) => Fixes;
}

/** A rollout at rest half-way, all of whose new pods that are not available were refused by the scheduler. */
export function stuckStableRolloutOf(examination: Examination): Stuck | undefined {
  const rollout = stableRolloutOf(examination.snapshot);
  if (rollout === undefined) return stuckInsideRevisionOf(examination);
  const { state } = rollout;
  const found = hasGroups(state)
    ? waitingGroupsOf(examination.placement, state, rollout)
    : switchesRevisions(state)
      ? waitingRevisionsOf(examination.placement, state, rollout)
      : allRefused(rollout.blocked);
  if (found === undefined) return undefined;
  return {
    ...rollout,
    ...found,
    remedies: (node, resource) => remediesFor(examination, state, found.waiting, { node, resource }),
  };
}

/**
 * A restart, or an upgrade of Knative, replaces the pods of one revision. Their Deployment then rolls by its
 * own strategy, which Knative leaves alone (knative serving
 * `pkg/reconciler/revision/cruds.go: checkAndUpdateDeployment` compares a hash of what it wants).
 */
function stuckInsideRevisionOf({ snapshot }: Examination): Stuck | undefined {
  const { workload, index } = snapshot;
  for (const deployment of deploymentsOfRevisions(index, workload)) {
    const rollout = stableRolloutOf({ ...snapshot, workload: deployment });
    const found = rollout && allRefused(rollout.blocked);
    if (rollout === undefined || found === undefined) continue;
    return { ...rollout, ...found, workload, inside: deployment, remedies: () => inDeployment(deployment) };
  }
  return undefined;
}

/** The change belongs to another object than the one that is diagnosed. */
function inDeployment({ metadata }: Deployment): Fixes {
  const because = strategies('patch-withheld-inside', { deployment: metadata.name });
  return {
    remediations: [],
    withheld: [
      { kind: 'restart-rollout', because: waiting('restart-withheld') },
      { kind: 'patch-strategy', because },
    ],
  };
}

function allRefused(blocked: StableRollout['blocked']): Waiting | undefined {
  const [first, ...rest] = blocked.filter(isUnschedulable);
  if (first === undefined || 1 + rest.length < blocked.length) return undefined;
  return { waiting: [first, ...rest], weakenedBy: [] };
}

/**
 * The scheduler has refused all new pods that are not ready, and one of them waits for a place that former
 * pods use.
 */
function waitingRevisionsOf(
  placement: Placement,
  state: RevisionedState,
  { holding, blocked }: StableRollout,
): Waiting | undefined {
  const refused = blocked.filter(isUnschedulable);
  if (refused.length < blocked.length) return undefined;
  // Pods of one group are alike to the scheduler. Without its head, a RayCluster does not begin.
  const kinds = [...onePerGroup(refused)].sort(
    (a, b) => Number(partNameOf(b) === headGroup) - Number(partNameOf(a) === headGroup),
  );
  const first = kinds.find((pod) => blockageOf(placement, pod, holding) !== undefined);
  if (first === undefined) return undefined;
  return {
    waiting: [first, ...refused.filter((pod) => pod !== first)],
    alsoWaiting: kinds.filter((pod) => pod !== first),
    strategy: adviceOn(state.service).strategy(state.service, partNameOf(first)),
    weakenedBy: revisionsDoubts(placement.index, state, {
      holding,
      waiting: podNames(refused),
      startsWithout: (pods) =>
        placement.evaluate(first, { without: new Set(pods.map(podKey)) }).outcome === 'fits',
    }),
  };
}

function onePerGroup(pods: readonly Pod[]): readonly Pod[] {
  const groups = new Map<string, Pod>();
  for (const pod of pods) {
    const group = partNameOf(pod);
    if (!groups.has(group)) groups.set(group, pod);
  }
  return [...groups.values()];
}

/**
 * The scheduler has refused a pod of every new group that is not ready, and one that was created beside the
 * old groups would fit once these are gone.
 */
function waitingGroupsOf(
  placement: Placement,
  state: LeaderWorkerSetState,
  { holding }: StableRollout,
): Waiting | undefined {
  const { leaderWorkerSet } = state;
  const groups = waitingGroups(state);
  if (groups === undefined) return undefined;
  // A group that takes the place of an old one waits for a place that no old group has to give up.
  const surge = groups.find(
    (group) => group.index >= leaderWorkerSet.spec.replicas && fitsWithout(placement, state, group, holding),
  );
  if (surge === undefined) return undefined;
  const [first, ...rest] = [surge, ...groups.filter((group) => group !== surge)].flatMap(
    ({ refused }) => refused,
  );
  if (first === undefined) return undefined;
  const counterpart = rest.find((pod) => isLeader(pod) !== isLeader(first));
  return {
    waiting: [first, ...rest],
    ...(counterpart === undefined ? {} : { alsoWaiting: [counterpart] }),
    weakenedBy: groupsDoubts(leaderWorkerSet),
  };
}

/** A new group that is not ready. */
interface WaitingGroup {
  readonly index: number;
  /** Its pods that exist, those with a node and those without. */
  readonly pods: readonly Pod[];
  readonly refused: readonly Pod[];
}

/** `undefined` where the scheduler has refused no pod of such a group: then the group may become ready. */
function waitingGroups(state: LeaderWorkerSetState): readonly WaitingGroup[] | undefined {
  const fresh = newGroupPods(state).filter(isActive);
  const indexes = new Set(fresh.filter((pod) => !isReady(pod)).map(groupIndexOf));
  const groups = [...indexes].map((index): WaitingGroup => {
    const pods = fresh.filter((pod) => groupIndexOf(pod) === index);
    return { index, pods, refused: pods.filter((pod) => !isReady(pod) && isUnschedulable(pod)) };
  });
  return groups.every(({ refused }) => refused.length > 0) ? groups : undefined;
}

/** More pods are not placed one by one. */
const mostPods = 1_000;

/**
 * Whether the whole group finds its places once the old groups are gone, workers included that are not there
 * yet. One pod after the other is placed, each beside those before it.
 */
function fitsWithout(
  placement: Placement,
  { leaderWorkerSet }: LeaderWorkerSetState,
  { index, pods }: WaitingGroup,
  holding: readonly Pod[],
): boolean {
  const { size, workerTemplate } = leaderWorkerSet.spec.leaderWorkerTemplate;
  if (size > mostPods) return false;
  const { namespace, name } = leaderWorkerSet.metadata;
  const missing = Array.from({ length: Math.max(0, size - pods.length) }, (_, number) =>
    inGroup(
      podOfTemplate(placement.index, workerTemplate, '', {
        namespace,
        name: `${name}-${index}-new-${number}`,
      }),
      { [groupLabels.name]: name, [groupLabels.groupIndex]: String(index) },
    ),
  );
  const waiting = [...pods.filter((pod) => !hasNode(pod)), ...missing];
  let after = placement.with({ remove: new Set([...holding, ...waiting].map(podKey)) });
  for (const pod of waiting) {
    const nodeName = after.firstFeasible(pod);
    if (nodeName === undefined) return false;
    after = after.with({ add: [{ ...pod, spec: { ...pod.spec, nodeName } }] });
  }
  return true;
}

/** With the labels that affinities of the template may name. */
function inGroup(pod: Pod, added: Readonly<Record<string, string>>): Pod {
  return { ...pod, metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, ...added } } };
}

/** The node that becomes free, and what of it. */
type Freed = { readonly node: string; readonly resource: string };

/**
 * What frees the rollout as the engine of its kind sees it, best first, and what people would try in vain.
 */
export function remediesFor(
  examination: Examination,
  state: StableRollout['state'] | DaemonSetState,
  waiting: readonly Pod[],
  { node, resource }: Freed,
): Fixes {
  const { patches, further } = fixesOfKind(examination, state, podSimulatorOf(examination), waiting);
  return {
    remediations: [...patches.remediations, ...further.remediations],
    withheld: [
      { kind: 'restart-rollout', because: waitingStatement('restart-withheld') },
      { kind: 'exclude-nodes', because: say('exclude-withheld', { node }) },
      ...patches.withheld,
      ...(patches.remediations.length + patches.withheld.length > 0
        ? []
        : [{ kind: 'patch-strategy', because: say('patch-withheld', { resource }) } as const]),
      ...further.withheld,
    ],
  };
}
