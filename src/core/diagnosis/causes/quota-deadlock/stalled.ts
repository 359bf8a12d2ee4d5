import type { ObjectRef } from '../../../cluster/metadata.js';
import { hasNode, isActive, isReady, type Pod } from '../../../cluster/pod.js';
import type { Snapshot } from '../../../cluster/snapshot.js';
import type { DaemonSet, Deployment } from '../../../cluster/workload.js';
import type { Statement } from '../../../language/statement.js';
import { daemonSetHash, isUpdatedDaemonPod } from '../../../rollout/controller-revisions.js';
import { daemonSetBounds } from '../../../rollout/daemon-set-bounds.js';
import { waitsForSurgePods } from '../../../rollout/fixed-point.js';
import { type DaemonSetState, type DeploymentState, rolloutStateOf } from '../../../rollout/rollout-state.js';
import { type StrategyFacts, strategyFactsOf } from '../../deadlock/facts.js';
import { strategyStatement } from '../../deadlock/strategy.js';
import { deadlock } from '../../deadlock/text.js';
import { isUnschedulable, stuckRolloutOf } from '../../stuck-rollout.js';
import { state } from './text.js';

/** A rollout that rests as long as the API server refuses the pods that it wants beside the old ones. */
export interface Stalled {
  readonly workload: Deployment | DaemonSet;
  readonly state: DeploymentState | DaemonSetState;
  /** Who creates the pod: the new ReplicaSet, or the DaemonSet itself. */
  readonly creator: ObjectRef & { readonly uid: string };
  /** Old pods with a node that only the controller takes. */
  readonly holding: readonly Pod[];
  /** New pods that exist; all of them wait for a node. */
  readonly blocked: readonly Pod[];
  /** Pods that may exist beyond those wanted. */
  readonly surge: number;
  /** Why the controller takes no old pod. */
  readonly strategy: Statement;
  readonly strategyFacts: StrategyFacts;
  readonly strategyField: string;
  readonly strategyValue: string;
  readonly strategySays: Statement;
}

export function stalledOf(snapshot: Snapshot): Stalled | undefined {
  return snapshot.workload.kind === 'DaemonSet' ? stalledDaemonSet(snapshot) : stalledDeployment(snapshot);
}

function stalledDeployment(snapshot: Snapshot): Stalled | undefined {
  const rollout = stuckRolloutOf(snapshot);
  if (rollout === undefined || !rollout.blocked.every(isUnschedulable)) return undefined;
  const { deployment, newReplicaSet, holding, blocked } = rollout;
  const { metadata } = newReplicaSet;
  const strategyFacts = strategyFactsOf(deployment);
  const { surge, unavailable } = strategyFacts;
  return {
    workload: deployment,
    state: rollout.state,
    creator: {
      kind: 'ReplicaSet',
      namespace: metadata.namespace,
      name: metadata.name,
      uid: metadata.uid,
    },
    holding,
    blocked,
    surge,
    strategy: strategyStatement(rollout),
    strategyFacts,
    strategyField: 'spec.strategy.rollingUpdate',
    strategyValue: JSON.stringify(deployment.spec.strategy.rollingUpdate ?? {}),
    strategySays: deadlock('ev-strategy', { surge, unavailable }),
  };
}

/**
 * With maxSurge the old pod of a node is kept until the new one is available there (kubernetes `daemon/update.go:
 * rollingUpdate`); an old pod that is not ready is taken before, so only ready ones hold the quota for good.
 */
function stalledDaemonSet(snapshot: Snapshot): Stalled | undefined {
  const rollout = rolloutStateOf(snapshot);
  if (rollout.kind !== 'DaemonSet') return undefined;
  const { daemonSet, pods } = rollout;
  const { metadata, spec, status } = daemonSet;
  if (status.observedGeneration < (metadata.generation ?? 0)) return undefined;
  const { maxSurge: surge, desired } = daemonSetBounds(rollout);
  if (surge === 0 || !waitsForSurgePods(rollout)) return undefined;
  const hash = daemonSetHash(rollout);
  const isNew = (pod: Pod) => isUpdatedDaemonPod(pod, daemonSet, hash);
  const active = pods.filter(isActive);
  const blocked = active.filter((pod) => isNew(pod) && !hasNode(pod));
  if (!active.filter(isNew).every((pod) => isReady(pod) || isUnschedulable(pod))) return undefined;
  const { rollingUpdate } = spec.updateStrategy;
  const maxSurge = String(rollingUpdate?.maxSurge ?? '-');
  return {
    workload: daemonSet,
    state: rollout,
    creator: {
      kind: 'DaemonSet',
      namespace: metadata.namespace,
      name: metadata.name,
      uid: metadata.uid,
    },
    holding: active.filter((pod) => !isNew(pod) && hasNode(pod)),
    blocked,
    surge,
    strategy: state('strategy-surges', { maxSurge, surge, nodes: desired }),
    strategyFacts: { maxSurge, surge, replicas: desired },
    strategyField: 'spec.updateStrategy.rollingUpdate',
    strategyValue: JSON.stringify(rollingUpdate ?? {}),
    strategySays: deadlock('ev-surges', { surge, nodes: desired }),
  };
}
