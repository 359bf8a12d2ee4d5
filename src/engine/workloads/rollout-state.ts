import { groupBy } from '../collections/collections.js';
import { type Rollout, rolloutHashLabel } from '../objects/argo-rollout.js';
import type { ClusterIndex } from '../objects/cluster-index.js';
import { matchesSelector } from '../objects/label-selector.js';
import { groupLabels, type LeaderWorkerSet } from '../objects/leader-worker-set.js';
import { conditionOf, controllerOf, isPod, isReplicaSet } from '../objects/metadata.js';
import type { Node } from '../objects/node.js';
import type { Pod } from '../objects/pod.js';
import { releaseRules, type ServerVersion } from '../objects/release-rules.js';
import { nowOf, type Snapshot } from '../objects/snapshot.js';
import { isUnreadNearby } from '../objects/unread.js';
import {
  type ControllerRevision,
  type DaemonSet,
  type Deployment,
  hasGroups,
  hasObservedSpec,
  hasOrdinals,
  hasReplicaSets,
  hasSteps,
  isRevisioned,
  type ReplicaSet,
  type RevisionedService,
  type StatefulSet,
  type Workload,
} from '../objects/workload.js';
import { isObserved } from './argo-rollout/replica-set-roles.js';
import { type ServiceTarget, serviceTargets } from './argo-rollout/service-targets.js';
import { failureEvent } from './creation-events.js';
import { scaledValue } from './fenceposts.js';
import { podsOfRevisions, refusedPodsOf } from './revisioned/pods.js';
import type { RefusedPods } from './revisioned/service-kind.js';

/** Labels with which a controller marks the pods of a ReplicaSet, and the kind of its workloads. */
const hashLabels = [
  { label: 'pod-template-hash', kind: 'Deployment' },
  { label: rolloutHashLabel, kind: 'Rollout' },
] as const;

/**
 * The Deployment or Rollout of a pod of a ReplicaSet that was not read, and the hash of its revision: the
 * name of the ReplicaSet is that of its workload and this hash (`deployment/sync.go: getNewReplicaSet`,
 * argo-rollouts `rollout/sync.go: createNewReplicaSet`). `undefined` where the name is another one.
 */
export function workloadByName(
  pod: Pod,
): { readonly kind: 'Deployment' | 'Rollout'; readonly name: string; readonly hash: string } | undefined {
  const owner = controllerOf(pod);
  if (!isReplicaSet(owner)) return undefined;
  for (const { label, kind } of hashLabels) {
    const hash = pod.metadata.labels[label] ?? '';
    const suffix = `-${hash}`;
    if (hash !== '' && owner.name.endsWith(suffix)) {
      return { kind, name: owner.name.slice(0, -suffix.length), hash };
    }
  }
  return undefined;
}

/** What is known of a workload whose ReplicaSets were not read. */
interface UnreadReplicaSets {
  /** The uid of the newest ReplicaSet; absent where neither its pods nor the workload shows it. */
  readonly newest?: string;
}

/**
 * Pods of the workload whose ReplicaSet is not in the index. A selector alone ties no pod to a workload:
 * those of two workloads may overlap, and the controllers take the owner.
 */
function tiedPods(index: ClusterIndex, workload: Deployment | Rollout): readonly Pod[] {
  const known = tied.get(workload);
  if (known?.index === index) return known.pods;
  const { namespace, name } = workload.metadata;
  const pods = index.objects.Pod.filter((pod) => {
    if (pod.metadata.namespace !== namespace) return false;
    const above = workloadByName(pod);
    if (above?.kind !== workload.kind || above.name !== name) return false;
    return (
      !index.replicaSets.has(controllerOf(pod)?.uid ?? '') &&
      matchesSelector(workload.spec.selector, pod.metadata.labels)
    );
  });
  tied.set(workload, { index, pods });
  return pods;
}

/** Every rule asks for the pods of the same workload. */
const tied = new WeakMap<
  Deployment | Rollout,
  { readonly index: ClusterIndex; readonly pods: readonly Pod[] }
>();

/**
 * Which of these ReplicaSets is the newest: the one that the status of the workload names, by its hash or in
 * the Progressing condition. Where pods of only one exist, the count of updated pods tells whether it is.
 */
function newestOfTied(workload: Deployment | Rollout, pods: readonly Pod[]): string | undefined {
  const byHash = groupBy(pods, (pod) => workloadByName(pod)?.hash ?? '');
  const uidOf = (hash: string): string | undefined => {
    const [first] = byHash.get(hash) ?? [];
    return first && controllerOf(first)?.uid;
  };
  if (hasSteps(workload)) {
    return isObserved(workload) ? uidOf(workload.status.currentPodHash) : undefined;
  }
  if (!hasObservedSpec(workload)) return undefined;
  const { name } = workload.metadata;
  const message = conditionOf(workload.status, 'Progressing')?.message ?? '';
  const named = [...byHash.keys()].find((hash) => message.includes(`"${name}-${hash}"`));
  if (named !== undefined) return uidOf(named);
  const [only, ...others] = byHash.keys();
  if (only === undefined || others.length > 0) return undefined;
  return workload.status.updatedReplicas > 0 ? uidOf(only) : undefined;
}

/**
 * What the StatefulSet controller makes of `maxUnavailable` (`stateful_set_control.go`).
 *
 * - `ignored`: the gate MaxUnavailableStatefulSet is off. One pod at a time, the highest ordinal first.
 * - `as-in-1.35`: unavailable pods of the old revision use the budget up, also in parallel.
 * - `as-in-1.37`: in parallel, unavailable pods of the old revision are deleted first, whatever the budget.
 */
export type MaxUnavailableRule = 'ignored' | 'as-in-1.35' | 'as-in-1.37';

/** The rule that applies, and what it rests on. */
export interface MaxUnavailable {
  readonly rule: MaxUnavailableRule;
  /** Rules that may apply in its place; none where an object or the version decides. */
  readonly instead: readonly MaxUnavailableRule[];
  /**
   * `distribution`: the numbers of the version make the rule likely. `value`: the gate is off by default, and
   * the object has a value that a server with the gate off drops. `nothing`: the version was not read.
   */
  readonly restsOn: 'equal-rules' | 'object' | 'version' | 'distribution' | 'value' | 'nothing';
}

const equalRules: MaxUnavailable = { rule: 'ignored', instead: [], restsOn: 'equal-rules' };

/**
 * The rule for one StatefulSet. Where its pods are updated in order and one at a time, all rules give the
 * same. A stored `rollingUpdate` without `maxUnavailable` shows that the gate is off, since the API server
 * adds the default 1 whenever it is on (`apps/v1/defaults.go: SetDefaults_StatefulSet`). A value was stored
 * while the gate was on and is kept when the gate is switched off
 * (`statefulset/strategy.go: dropStatefulSetDisabledFields`): it may still be on.
 */
export function maxUnavailableOf(index: ClusterIndex, statefulSet: StatefulSet): MaxUnavailable {
  if (!dependsOnVersion(statefulSet)) return equalRules;
  if (index.objects.StatefulSet.some(showsGateOff)) {
    return { rule: 'ignored', instead: [], restsOn: 'object' };
  }
  const byVersion = ruleOfVersion(index.serverVersion);
  const isDoubtful =
    byVersion.restsOn === 'version' && byVersion.rule === 'ignored' && unavailableBudget(statefulSet) > 1;
  return isDoubtful ? { ...byVersion, instead: ['as-in-1.35'], restsOn: 'value' } : byVersion;
}

/** Whether the rules differ for this StatefulSet. */
export function dependsOnVersion(statefulSet: StatefulSet): boolean {
  return statefulSet.spec.podManagementPolicy === 'Parallel' || unavailableBudget(statefulSet) > 1;
}

function showsGateOff({ spec: { updateStrategy } }: StatefulSet): boolean {
  return (
    updateStrategy.type === 'RollingUpdate' &&
    updateStrategy.rollingUpdate !== undefined &&
    updateStrategy.rollingUpdate.maxUnavailable === undefined
  );
}

/** The rule by version, and that of the other state of the gate where a distribution may have switched it. */
export function ruleOfVersion(version: ServerVersion | undefined): MaxUnavailable {
  if (version === undefined) {
    return { rule: 'ignored', instead: ['as-in-1.35', 'as-in-1.37'], restsOn: 'nothing' };
  }
  const { maxUnavailableGate, deletesUnavailableFirst } = releaseRules(version);
  const whenOn: MaxUnavailableRule = deletesUnavailableFirst ? 'as-in-1.37' : 'as-in-1.35';
  const isOn = maxUnavailableGate === 'on';
  const rule = isOn ? whenOn : 'ignored';
  if (version.suffix === '' || maxUnavailableGate === undefined)
    return { rule, instead: [], restsOn: 'version' };
  return { rule, instead: [isOn ? 'ignored' : whenOn], restsOn: 'distribution' };
}

/**
 * Pods that may be unavailable: rounded down, at least 1; 1 where the value cannot be read
 * (`getStatefulSetMaxUnavailable`).
 */
export function unavailableBudget({ spec }: StatefulSet): number {
  const wanted = spec.updateStrategy.rollingUpdate?.maxUnavailable ?? 1;
  const scaled = scaledValue(wanted, spec.replicas, 'down');
  return scaled.kind === 'value' ? Math.max(1, scaled.value) : 1;
}

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
