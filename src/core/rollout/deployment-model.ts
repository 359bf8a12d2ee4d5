import { conditionOf } from '../cluster/metadata.js';
import type { Pod } from '../cluster/pod.js';
import type { Deployment, ReplicaSet } from '../cluster/workload.js';
import { apiTime } from './creation-order.js';
import type { DeploymentAction } from './deployment-action.js';
import { revisionAnnotation } from './deployment-annotations.js';
import { isComplete } from './deployment-conditions.js';
import { syncDeployment } from './deployment-sync.js';
import { replicaSetChange, replicaSetStatus } from './replica-set-sync.js';
import { victimsAmong } from './replica-set-victims.js';
import { podsByOwnerOf } from './revisions.js';
import type { DeploymentState } from './rollout-state.js';
import { createRoster, type Roster } from './roster.js';
import { deletedPod, simulatedPod } from './simulated-pods.js';
import type { Acted, Admission } from './simulation.js';
import { neverExhausted, type WorkMeter } from './simulation-budget.js';
import { podTemplateHashLabel } from './template-equality.js';

/** Enough for every revision to be resized and for 100,000 pods to follow. */
const maxRounds = 400;

/** Runs the Deployment and ReplicaSet controllers until none of them has anything to do. */
export function actDeployment(start: DeploymentState, admits: Admission): Acted<DeploymentState> {
  const roster = createRoster(start.pods);
  const acted = actDeploymentOn(roster, start, (pod) => admits(pod, roster.all()), neverExhausted);
  return { ...acted, state: refreshed({ ...acted.state, pods: roster.all() }) };
}

/** The same on a roster, which it changes; `state.pods` is not read, and empty afterwards. */
export function actDeploymentOn(
  roster: Roster,
  start: DeploymentState,
  admits: (pod: Pod) => boolean,
  meter: WorkMeter,
): Acted<DeploymentState> {
  let state = counted(roster, { ...start, pods: [] });
  const actions: DeploymentAction[] = [];
  const created: Pod[] = [];
  const deleted: Pod[] = [];
  const orElse: Pod[] = [];
  let refused: readonly Pod[] = [];
  let isAtRest = false;
  for (let round = 0; round < maxRounds && !isAtRest && !meter.isExhausted(); round += 1) {
    meter.spend(1 + state.replicaSets.length);
    const sync = syncDeployment(state);
    // The status that it writes last brings the controller back once more: only then does it clean the history.
    const hasJustCompleted =
      isComplete(state.deployment, sync.status) && !isComplete(state.deployment, state.deployment.status);
    state = withStatus(applied(state, sync.actions), sync);
    const pods = manageReplicaSets(roster, state, admits, meter);
    state = counted(roster, pods.state);
    append(actions, sync.actions);
    append(created, pods.created);
    append(deleted, pods.deleted);
    append(orElse, pods.orElse);
    refused = pods.refused;
    const acted = sync.actions.length + pods.created.length + pods.deleted.length > 0;
    isAtRest = !acted && !hasJustCompleted;
  }
  return { state, actions, created, deleted, orElse, refused, isAtRest };
}

/** A spread of so many arguments as a large rollout has pods would overflow the stack. */
function append<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) list.push(item);
}

/** All wanted replicas are of the new revision and available, and none of an old one is left. */
export function deploymentIsComplete(state: DeploymentState): boolean {
  const { status } = syncDeployment(state);
  return isComplete(state.deployment, status) && conditionOf(status, 'ReplicaFailure') === undefined;
}

/** The ReplicaSets with the counts that follow from their pods; a ReplicaFailure stays. */
export function refreshed(state: DeploymentState): DeploymentState {
  const byOwner = podsByOwnerOf(state);
  const replicaSets = state.replicaSets.map((replicaSet) => {
    const pods = byOwner.get(replicaSet.metadata.uid) ?? [];
    const { conditions } = replicaSet.status;
    return {
      ...replicaSet,
      status: { ...replicaSetStatus({ replicaSet, pods, now: state.now }), conditions },
    };
  });
  return { ...state, replicaSets };
}

/** The same from a roster's counts. */
function counted(roster: Roster, state: DeploymentState): DeploymentState {
  const replicaSets = state.replicaSets.map((replicaSet): ReplicaSet => {
    const { metadata, spec, status } = replicaSet;
    const group = roster.groupOf(metadata.uid);
    const counts = {
      observedGeneration: Math.max(metadata.generation ?? 0, status.observedGeneration),
      replicas: group.active.size,
      readyReplicas: group.ready(),
      availableReplicas: group.countAvailable(spec.minReadySeconds, state.now),
      terminatingReplicas: group.terminating(),
    };
    return isSame(status, counts) ? replicaSet : { ...replicaSet, status: { ...status, ...counts } };
  });
  return { ...state, replicaSets };
}

function isSame(status: ReplicaSet['status'], counts: Partial<ReplicaSet['status']>): boolean {
  return Object.entries(counts).every(([name, value]) => status[name as keyof typeof counts] === value);
}

function withStatus(
  state: DeploymentState,
  sync: { readonly status: Deployment['status']; readonly revision: string | undefined },
): DeploymentState {
  const { deployment } = state;
  const annotations =
    sync.revision === undefined
      ? deployment.metadata.annotations
      : { ...deployment.metadata.annotations, [revisionAnnotation]: sync.revision };
  return {
    ...state,
    deployment: { ...deployment, metadata: { ...deployment.metadata, annotations }, status: sync.status },
  };
}

/** The state after the writes of one sync. It reads the ReplicaSets once, however many the sync writes. */
function applied(state: DeploymentState, actions: readonly DeploymentAction[]): DeploymentState {
  if (actions.length === 0) return state;
  const writes = new Map<string, DeploymentAction[]>();
  const created: ReplicaSet[] = [];
  for (const action of actions) {
    if (action.kind === 'create-replica-set') created.push(createdReplicaSet(state, action));
    else writes.set(action.replicaSet, [...(writes.get(action.replicaSet) ?? []), action]);
  }
  const replicaSets = [...state.replicaSets, ...created].flatMap((replicaSet) => {
    const own = writes.get(replicaSet.metadata.name) ?? [];
    if (own.some(({ kind }) => kind === 'delete-replica-set')) return [];
    return [own.reduce(written, replicaSet)];
  });
  return { ...state, replicaSets };
}

function written(replicaSet: ReplicaSet, action: DeploymentAction): ReplicaSet {
  const { metadata, spec } = replicaSet;
  switch (action.kind) {
    case 'scale': {
      const generation = (metadata.generation ?? 0) + (action.from === action.to ? 0 : 1);
      const annotations = { ...metadata.annotations, ...action.annotations };
      return {
        ...replicaSet,
        metadata: { ...metadata, generation, annotations },
        spec: { ...spec, replicas: action.to },
      };
    }
    case 'update-replica-set': {
      const { annotations, minReadySeconds } = action;
      return { ...replicaSet, metadata: { ...metadata, annotations }, spec: { ...spec, minReadySeconds } };
    }
    case 'create-replica-set':
    case 'delete-replica-set':
      return replicaSet;
  }
}

function createdReplicaSet(
  { deployment, now }: DeploymentState,
  action: Extract<DeploymentAction, { kind: 'create-replica-set' }>,
): ReplicaSet {
  const { metadata, spec } = deployment;
  const hash = `revision-${action.revision}`;
  const name = `${metadata.name}-${hash}`;
  const labels = { ...spec.template.metadata.labels, [podTemplateHashLabel]: hash };
  return {
    kind: 'ReplicaSet',
    metadata: {
      ...metadata,
      name,
      uid: `simulated:${name}`,
      generation: 1,
      creationTimestamp: apiTime(now),
      labels,
      annotations: action.annotations,
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          name: metadata.name,
          uid: metadata.uid,
          controller: true,
        },
      ],
    },
    spec: {
      replicas: action.replicas,
      minReadySeconds: spec.minReadySeconds,
      selector: spec.selector,
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
    status: {
      observedGeneration: 0,
      replicas: 0,
      fullyLabeledReplicas: 0,
      readyReplicas: 0,
      availableReplicas: 0,
      terminatingReplicas: 0,
      conditions: [],
    },
  };
}

/** ReplicaSets that create what they want lose their ReplicaFailure (`replica_set_utils.go: calculateStatus`). */
function withoutFailures(state: DeploymentState, served: ReadonlySet<ReplicaSet>): DeploymentState {
  if (served.size === 0) return state;
  const replicaSets = state.replicaSets.map((replicaSet) => {
    if (!served.has(replicaSet)) return replicaSet;
    const conditions = replicaSet.status.conditions.filter(({ type }) => type !== 'ReplicaFailure');
    return { ...replicaSet, status: { ...replicaSet.status, conditions } };
  });
  return { ...state, replicaSets };
}

interface Managed {
  readonly state: DeploymentState;
  readonly created: readonly Pod[];
  readonly deleted: readonly Pod[];
  readonly orElse: readonly Pod[];
  readonly refused: readonly Pod[];
}

function manageReplicaSets(
  roster: Roster,
  state: DeploymentState,
  admits: (pod: Pod) => boolean,
  meter: WorkMeter,
): Managed {
  const created: Pod[] = [];
  const deleted: Pod[] = [];
  const orElse: Pod[] = [];
  const refused: Pod[] = [];
  const served = new Set<ReplicaSet>();
  for (const replicaSet of state.replicaSets) {
    const { active } = roster.groupOf(replicaSet.metadata.uid);
    const change = replicaSetChange(replicaSet, active.size);
    const before = refused.length;
    if (change < 0) {
      const victims = victimsAmong(active.values(), roster.crowds, -change, state.now);
      meter.spend(active.size);
      append(deleted, victims.pods);
      append(orElse, victims.orElse);
      for (const pod of victims.pods) {
        const [left] = deletedPod(pod, state.now);
        if (left === undefined) roster.remove(pod);
        else roster.replace(pod, left);
      }
    }
    for (let count = 0; count < change && !meter.isExhausted(); count += 1) {
      const pod = nextPod(roster, state, replicaSet);
      meter.spend(1);
      if (!admits(pod)) {
        refused.push(pod);
        break;
      }
      meter.notePods(1);
      created.push(pod);
      roster.add(pod);
    }
    const hasFailed = conditionOf(replicaSet.status, 'ReplicaFailure') !== undefined;
    if (hasFailed && refused.length === before) served.add(replicaSet);
  }
  return { state: withoutFailures(state, served), created, deleted, orElse, refused };
}

/** As the ReplicaSet would create it; names go on where those that exist end. */
function nextPod(roster: Roster, { now }: DeploymentState, replicaSet: ReplicaSet): Pod {
  const { metadata, spec } = replicaSet;
  const name = roster.freeName(`${metadata.name}-next-`);
  return simulatedPod(replicaSet, spec.template, name, now, roster.groupOf(metadata.uid).like());
}
