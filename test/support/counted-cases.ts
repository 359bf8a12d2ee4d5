import { podSimulatorOf } from '#src/doctor/findings/pod-simulator-of.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { clusterObjects } from '#src/engine/objects/cluster-objects.js';
import { Node } from '#src/engine/objects/node.js';
import { Pod } from '#src/engine/objects/pod.js';
import type { Deployment, ReplicaSet } from '#src/engine/objects/workload.js';
import { createPlacement } from '#src/engine/scheduler/placement.js';
import type { PodSimulator } from '#src/engine/workloads/pod-simulator.js';
import type { DeploymentChange } from '#src/engine/workloads/rollout-change.js';
import type { DeploymentState } from '#src/engine/workloads/rollout-state.js';
import { buildDeployment, buildPod, buildReplicaSet, buildState } from './rollout-builders.js';
import { seededRandom } from './seeded-random.js';

export interface CountedCase {
  readonly state: DeploymentState;
  readonly change: DeploymentChange;
  readonly simulator: PodSimulator;
  readonly startSeconds: number | undefined;
  readonly text: string;
}

const gpu = 'nvidia.com/gpu';
/** One in twenty has up to 300 replicas. */
const sizesDrawn = [300, ...[3, 5, 9, 9, 9, 20, 20, 20, 20, 60], ...[2, 4, 6, 8, 10, 12, 14, 30, 40]];

/** What each pod of the workload asks for. */
function specOf(grace: number, more: object = {}): object {
  const resources = { requests: { [gpu]: '1', cpu: '100m' }, limits: { [gpu]: '1' } };
  return {
    containers: [{ name: 'app', image: 'web', resources }],
    terminationGracePeriodSeconds: grace,
    ...more,
  };
}

function withSpec<Owner extends Deployment | ReplicaSet>(owner: Owner, spec: object, image: string): Owner {
  const { template } = owner.spec;
  const containers = (spec as { containers: object[] }).containers.map((each) => ({ ...each, image }));
  const raw = { ...template.raw, spec: { ...spec, containers } };
  const parsed = Pod.parse({ metadata: {}, spec: { ...spec, containers } });
  return {
    ...owner,
    spec: { ...owner.spec, template: { ...template, spec: parsed.spec, raw } },
  };
}

/**
 * A random state of a rollout: old and middle revisions, nodes of several sizes that other workloads use
 * too, pods that are not ready, are starting, wait or are being deleted, and a change.
 */
export function drawCase(seed: number, most: readonly number[] = sizesDrawn): CountedCase {
  const below = seededRandom(seed);
  const upTo = (max: number): number => below(max + 1);
  const chance = (probability: number): boolean => below(1_000_000) < probability * 1_000_000;
  const pick = <Item>(items: readonly Item[]): Item => items[upTo(items.length - 1)] as Item;

  const largest = pick(most);
  const replicas = 1 + upTo(largest - 1);
  const bound = (): number | string =>
    chance(0.5) ? pick([0, 1, 1, 2, 3, upTo(replicas)]) : `${pick([0, 1, 10, 25, 50, 100, upTo(100)])}%`;
  const minReadySeconds = chance(0.2) ? pick([1, 15, 45]) : 0;
  const grace = pick([0, 1, 5, 30]);
  const isUniform = chance(0.93);
  const desired = String(chance(0.9) ? replicas : Math.max(1, replicas - upTo(3)));
  const annotations = {
    'deployment.kubernetes.io/desired-replicas': desired,
    'deployment.kubernetes.io/max-replicas': desired,
  };
  const spread = chance(0.05)
    ? {
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
        ],
      }
    : {};

  const nodeCount = 1 + upTo(7);
  const nodes = Array.from({ length: nodeCount }, (_, position) => ({
    name: `n-${position}`,
    gpus: upTo(Math.ceil((2.4 * replicas) / nodeCount) + 1),
    isCordoned: chance(0.015),
  }));
  const free = new Map(nodes.map(({ name, gpus }) => [name, gpus]));
  const others: Pod[] = [];
  for (const { name, gpus } of nodes) {
    const taken = chance(0.5) ? upTo(gpus) : 0;
    for (let count = 0; count < Math.min(taken, 5); count += 1) {
      const resources = { requests: { [gpu]: '1' }, limits: { [gpu]: '1' } };
      const uid = `other-${name}-${count}`;
      others.push(
        buildPod({
          name: uid,
          owner: { uid: 'other-uid' },
          node: name,
          labels: { app: 'other' },
          spec: { containers: [{ name: 'app', image: 'other', resources }] },
        }),
      );
      free.set(name, (free.get(name) ?? 0) - 1);
    }
  }
  const sizes = chance(0.25)
    ? [upTo(replicas), upTo(Math.ceil(replicas / 2)), upTo(Math.ceil(replicas / 4))]
    : [replicas, 0, upTo(Math.ceil(replicas / 3))];
  const revisions = chance(0.6) ? [0, 2] : [0, 1, 2];
  const pods: Pod[] = [];
  const replicaSets = revisions.map((position): ReplicaSet => {
    const size = sizes[position] ?? 0;
    const graceOf = isUniform ? grace : pick([1, 30]);
    const spec = specOf(graceOf, spread);
    const set = buildReplicaSet({ revision: position + 1, replicas: size, annotations, minReadySeconds });
    const owner = { name: set.metadata.name, uid: set.metadata.uid };
    const exist = chance(0.9) ? size : upTo(size + 2);
    const healthy = pick([1, 1, 0.9, 0.5]);
    let active = 0;
    for (let count = 0; count < exist; count += 1) {
      const node = nodes.find(({ name }) => (free.get(name) ?? 0) > 0 && !chance(0.1))?.name;
      if (node !== undefined) free.set(node, (free.get(node) ?? 0) - 1);
      const ready = node !== undefined && chance(position === 2 ? 0.3 : healthy);
      const age = pick([20, 300, 3600]) + upTo(3);
      const terminating = node !== undefined && chance(0.04);
      if (!terminating) active += 1;
      pods.push(
        buildPod({
          name: `${set.metadata.name}-${count}`,
          owner,
          node,
          ready,
          phase: node === undefined ? 'Pending' : ready || chance(0.5) ? 'Running' : 'Pending',
          age: node === undefined && chance(0.8) ? 100 : age,
          readyFor: chance(0.8) ? 15 : upTo(60),
          terminating,
          restarts: !ready && (node !== undefined || chance(0.01)) && chance(0.2) ? 3 : 0,
          labels: set.spec.template.metadata.labels,
          spec: { ...specOf(graceOf, spread), nodeName: node },
        }),
      );
    }
    const status = { ...set.status, replicas: active };
    return { ...withSpec(set, spec, `web:${position + 1}`), status };
  });
  const template = pick([3, 3, 3, 1, 4]);
  const deployment = withSpec(
    buildDeployment({
      replicas,
      maxSurge: bound(),
      maxUnavailable: bound(),
      recreate: chance(0.1),
      paused: chance(0.05),
      minReadySeconds,
      annotations: { 'deployment.kubernetes.io/revision': '3' },
    }),
    specOf(grace, spread),
    `web:${template}`,
  );
  const strategy = (maxSurge: number | string, maxUnavailable: number | string): DeploymentChange => ({
    kind: 'strategy',
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
  });
  const old = replicaSets[0]?.metadata.name ?? '';
  const change = pick<DeploymentChange>([
    { kind: 'none' },
    { kind: 'none' },
    strategy(0, 1),
    strategy(0, 1),
    strategy(1, 0),
    { kind: 'strategy', strategy: { type: 'Recreate', rollingUpdate: undefined } },
    { kind: 'restart' },
    { kind: 'resume' },
    { kind: 'undo', replicaSet: old },
    { kind: 'replicas', replicas: Math.max(0, replicas + upTo(4) - 2) },
    { kind: 'scale-replica-set', replicaSet: old, replicas: Math.max(0, (sizes[0] ?? 0) - 1) },
  ]);
  const index = indexObjects(
    clusterObjects({
      Pod: [...pods, ...others],
      Node: nodes.map(({ name, gpus, isCordoned }) =>
        Node.parse({
          metadata: { name, labels: { 'kubernetes.io/hostname': name, zone: name } },
          spec: { unschedulable: isCordoned },
          status: { allocatable: { [gpu]: String(gpus), cpu: '400', pods: '1000' } },
        }),
      ),
    }),
  );
  const snapshot = {
    takenAt: '2026-11-20T09:30:00Z',
    cluster: 'test',
    workload: deployment,
    index,
    logs: [],
    unseen: [],
  };
  const base = podSimulatorOf({ snapshot, placement: createPlacement(index) });
  const failing = chance(0.1);
  const simulator: PodSimulator = {
    ...base,
    becomesReady: (pod, node) =>
      (pod.status.containerStatuses[0]?.restartCount ?? 0) === 0 && !(failing && node === 'n-0'),
  };
  const state = buildState(deployment, replicaSets, pods);
  const text = `seed ${seed}: ${replicas} replicas, ${JSON.stringify(deployment.spec.strategy)}, sizes ${sizes}, ${change.kind}`;
  return { state, change, simulator, startSeconds: chance(0.8) ? pick([1, 7, 40]) : undefined, text };
}
