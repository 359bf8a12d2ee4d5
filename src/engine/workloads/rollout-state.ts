import type { Rollout } from '../objects/argo-rollout.js';
import type { ClusterIndex } from '../objects/cluster-index.js';
import { groupLabels, type LeaderWorkerSet } from '../objects/leader-worker-set.js';
import { controllerOf, isPod } from '../objects/metadata.js';
import type { Node } from '../objects/node.js';
import type { Pod } from '../objects/pod.js';
import { nowOf, type Snapshot } from '../objects/snapshot.js';
import { isUnreadNearby } from '../objects/unread.js';
import {
  type ControllerRevision,
  type DaemonSet,
  type Deployment,
  hasGroups,
  hasOrdinals,
  hasReplicaSets,
  isRevisioned,
  type ReplicaSet,
  type RevisionedService,
  type StatefulSet,
  type Workload,
} from '../objects/workload.js';
import { type ServiceTarget, serviceTargets } from './argo-rollout/service-targets.js';
import { failureEvent } from './creation-events.js';
import { type MaxUnavailable, maxUnavailableOf, ruleOfVersion } from './max-unavailable-rule.js';
import { podsOfRevisions, refusedPodsOf } from './revisioned/pods.js';
import type { RefusedPods } from './revisioned/service-kind.js';
import { newestOfTied, tiedPods, type UnreadReplicaSets } from './tied-pods.js';

/** All that the Deployment and ReplicaSet controllers look at. Lists may be in any order. */
export interface DeploymentState {
  readonly kind: 'Deployment';
  readonly deployment: Deployment;
  /** Controlled by the Deployment. */
  readonly replicaSets: readonly ReplicaSet[];
  /** Controlled by those ReplicaSets, terminal and terminating ones included. */
  readonly pods: readonly Pod[];
  /** Present where ReplicaSets were not read: pods are tied by name then, and nothing is simulated. */
  readonly unread?: UnreadReplicaSets;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** All that the StatefulSet controller looks at. */
export interface StatefulSetState {
  readonly kind: 'StatefulSet';
  readonly statefulSet: StatefulSet;
  readonly controllerRevisions: readonly ControllerRevision[];
  readonly pods: readonly Pod[];
  readonly maxUnavailable: MaxUnavailable;
  readonly now: number;
}

/** All that the DaemonSet controller looks at. */
export interface DaemonSetState {
  readonly kind: 'DaemonSet';
  readonly daemonSet: DaemonSet;
  readonly controllerRevisions: readonly ControllerRevision[];
  readonly pods: readonly Pod[];
  /** Every node the snapshot holds; a node that is missing here runs no pod in the engine's eyes. */
  readonly nodes: readonly Node[];
  readonly now: number;
}

/** All that the controllers of Argo Rollouts and of ReplicaSets look at. */
export interface ArgoRolloutState {
  readonly kind: 'Rollout';
  readonly rollout: Rollout;
  /** Controlled by the Rollout. */
  readonly replicaSets: readonly ReplicaSet[];
  /** Controlled by those ReplicaSets, terminal and terminating ones included. */
  readonly pods: readonly Pod[];
  /** Present where ReplicaSets were not read: pods are tied by name then, and nothing is simulated. */
  readonly unread?: UnreadReplicaSets;
  /** The Services that its strategy names, by name, as far as they are known. */
  readonly services: Readonly<Record<string, ServiceTarget>>;
  readonly now: number;
}

/** All that the controllers of LeaderWorkerSets and of StatefulSets look at. */
export interface LeaderWorkerSetState {
  readonly kind: 'LeaderWorkerSet';
  readonly leaderWorkerSet: LeaderWorkerSet;
  /** That of the leaders, and one with the workers of each group. */
  readonly statefulSets: readonly StatefulSet[];
  /** Of the LeaderWorkerSet and of these StatefulSets. */
  readonly controllerRevisions: readonly ControllerRevision[];
  /** Leaders and workers, terminal and terminating ones included. */
  readonly pods: readonly Pod[];
  /** Uids of those StatefulSets whose pods the API server refuses to create. */
  readonly refused?: ReadonlySet<string>;
  /** Of the leader StatefulSet. The others never change their template. */
  readonly maxUnavailable: MaxUnavailable;
  readonly now: number;
}

/** All that decides when the controllers of a service stop the pods of its former revision. */
export interface RevisionedState {
  readonly kind: 'Revisioned';
  readonly service: RevisionedService;
  /** Of its revisions that are new, former or kept, terminal and terminating ones included. */
  readonly pods: readonly Pod[];
  /** Pods of the revision that is being started, and that the API server refuses to create. */
  readonly refused?: readonly RefusedPods[];
  readonly now: number;
}

export type RolloutState =
  | RevisionedState
  | DeploymentState
  | StatefulSetState
  | DaemonSetState
  | ArgoRolloutState
  | LeaderWorkerSetState;

/** The state under each rule for `maxUnavailable` that may apply, the likeliest first. */
export function underEachRule(state: StatefulSetState): readonly StatefulSetState[] {
  const { rule, instead } = state.maxUnavailable;
  return [rule, ...instead].map((each) => ({
    ...state,
    maxUnavailable: { ...state.maxUnavailable, rule: each },
  }));
}

/** The object whose rollout it is. */
export function workloadIn(state: DeploymentState | ArgoRolloutState): Deployment | Rollout;
export function workloadIn(state: StatefulSetState | DaemonSetState): StatefulSet | DaemonSet;
export function workloadIn(state: Exclude<RolloutState, DaemonSetState>): Exclude<Workload, DaemonSet>;
export function workloadIn(state: RolloutState): Workload;
export function workloadIn(state: RolloutState): Workload {
  switch (state.kind) {
    case 'Deployment':
      return state.deployment;
    case 'StatefulSet':
      return state.statefulSet;
    case 'DaemonSet':
      return state.daemonSet;
    case 'Rollout':
      return state.rollout;
    case 'LeaderWorkerSet':
      return state.leaderWorkerSet;
    case 'Revisioned':
      return state.service;
  }
}

/** A new revision starts beside the one that serves, and the service switches. */
export function switchesRevisions(state: RolloutState): state is RevisionedState {
  return 'service' in state;
}

/** What the workload's controllers see at the moment of the snapshot. */
export function rolloutStateOf(snapshot: Snapshot): RolloutState {
  const found = states.get(snapshot) ?? stateIn(snapshot);
  states.set(snapshot, found);
  return found;
}

/** Nearly every rule asks for it, and more than once. */
const states = new WeakMap<Snapshot, RolloutState>();

function stateIn(snapshot: Snapshot): RolloutState {
  const { index, workload } = snapshot;
  const state = rolloutStateIn(index, workload, nowOf(snapshot));
  return hasReplicaSets(state) && isUnreadNearby(snapshot, 'ReplicaSet') ? withTiedPods(index, state) : state;
}

function withTiedPods<State extends DeploymentState | ArgoRolloutState>(
  index: ClusterIndex,
  state: State,
): State {
  const workload = workloadIn(state);
  const tied = tiedPods(index, workload);
  const newest = newestOfTied(workload, tied);
  return { ...state, pods: [...state.pods, ...tied], unread: newest === undefined ? {} : { newest } };
}

/** The same for any workload in the index; `now` in epoch milliseconds. */
export function rolloutStateIn(index: ClusterIndex, workload: Workload, now: number): RolloutState {
  if (isRevisioned(workload)) {
    const pods = podsOfRevisions(index, workload);
    const refused = refusedPodsOf({ index, service: workload, pods, now });
    return { kind: 'Revisioned', service: workload, pods, refused, now };
  }
  switch (workload.kind) {
    case 'Deployment':
      return deploymentStateIn(index, workload, now);
    case 'StatefulSet':
      return {
        kind: 'StatefulSet',
        statefulSet: workload,
        controllerRevisions: ownedBy(index.controllerRevisionsByOwner, workload.metadata.uid),
        pods: ownedBy(index.podsByOwner, workload.metadata.uid),
        maxUnavailable: maxUnavailableOf(index, workload),
        now,
      };
    case 'DaemonSet':
      return {
        kind: 'DaemonSet',
        daemonSet: workload,
        controllerRevisions: ownedBy(index.controllerRevisionsByOwner, workload.metadata.uid),
        pods: ownedBy(index.podsByOwner, workload.metadata.uid),
        nodes: index.objects.Node,
        now,
      };
    case 'Rollout':
      return argoRolloutStateIn(index, workload, now);
    case 'LeaderWorkerSet':
      return leaderWorkerSetStateIn(index, workload, now);
  }
}

/**
 * Its objects are found by the label with its name: workers belong to StatefulSets that belong to leaders.
 * Anybody may set that label, so a StatefulSet counts only with such an owner, and a pod only where its
 * StatefulSet does or is gone.
 */
function leaderWorkerSetStateIn(
  index: ClusterIndex,
  leaderWorkerSet: LeaderWorkerSet,
  now: number,
): LeaderWorkerSetState {
  const { namespace, name, uid } = leaderWorkerSet.metadata;
  const hasLabel = ({ metadata }: StatefulSet | ControllerRevision | Pod): boolean =>
    uid !== '' && metadata.namespace === namespace && metadata.labels[groupLabels.name] === name;
  const statefulSets = index.objects.StatefulSet.filter((set) => {
    const owner = hasLabel(set) ? controllerOf(set) : undefined;
    return isPod(owner) || owner?.uid === uid;
  });
  const own = new Set(statefulSets.map(({ metadata }) => metadata.uid));
  const others = index.objects.StatefulSet.filter(({ metadata }) => !own.has(metadata.uid));
  const foreign = new Set(others.map(({ metadata }) => metadata.uid));
  const leaderSet = statefulSets.find((set) => controllerOf(set)?.uid === uid);
  return {
    kind: 'LeaderWorkerSet',
    leaderWorkerSet,
    statefulSets,
    controllerRevisions: index.objects.ControllerRevision.filter(hasLabel),
    pods: index.objects.Pod.filter((pod) => {
      const owner = hasLabel(pod) ? controllerOf(pod) : undefined;
      return hasOrdinals(owner) && !foreign.has(owner.uid);
    }),
    refused: new Set([...own].filter((each) => failureEvent(index, now, each) !== undefined)),
    maxUnavailable:
      leaderSet === undefined ? ruleOfVersion(index.serverVersion) : maxUnavailableOf(index, leaderSet),
    now,
  };
}

/** What its controller writes and other controllers turn into pods. */
export function childrenOf(state: RolloutState): readonly (ReplicaSet | StatefulSet)[] {
  if (hasGroups(state)) return state.statefulSets;
  return 'replicaSets' in state ? state.replicaSets : [];
}

export function argoRolloutStateIn(index: ClusterIndex, rollout: Rollout, now: number): ArgoRolloutState {
  const replicaSets = ownedBy(index.replicaSetsByOwner, rollout.metadata.uid);
  const pods = replicaSets.flatMap((replicaSet) => ownedBy(index.podsByOwner, replicaSet.metadata.uid));
  const { namespace } = rollout.metadata;
  const nearby = index.objects.Service.filter(({ metadata }) => metadata.namespace === namespace);
  const services = serviceTargets(rollout, nearby);
  return { kind: 'Rollout', rollout, replicaSets, pods, services, now };
}

export function deploymentStateIn(index: ClusterIndex, deployment: Deployment, now: number): DeploymentState {
  const known = deploymentStates.get(deployment);
  if (known?.index === index && known.state.now === now) return known.state;
  const replicaSets = ownedBy(index.replicaSetsByOwner, deployment.metadata.uid);
  const pods = replicaSets.flatMap((replicaSet) => ownedBy(index.podsByOwner, replicaSet.metadata.uid));
  const state: DeploymentState = { kind: 'Deployment', deployment, replicaSets, pods, now };
  deploymentStates.set(deployment, { index, state });
  return state;
}

/**
 * A Deployment is diagnosed, and is a neighbour of each other one: what is known of a state stays with it.
 */
const deploymentStates = new WeakMap<
  Deployment,
  { readonly index: ClusterIndex; readonly state: DeploymentState }
>();

/** A manifest that was never applied has no uid, and owns nothing. */
function ownedBy<Item>(byOwner: ReadonlyMap<string, readonly Item[]>, uid: string): readonly Item[] {
  return uid === '' ? [] : (byOwner.get(uid) ?? []);
}
