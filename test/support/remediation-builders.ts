import { podSimulatorOf } from '#src/doctor/findings/pod-simulator-of.js';
import type { Plan, Refusal } from '#src/doctor/fixes/plan.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { type ClusterObjects, clusterObjects } from '#src/engine/objects/cluster-objects.js';
import type { Node } from '#src/engine/objects/node.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { PodTemplate } from '#src/engine/objects/pod-spec.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { Deployment, ReplicaSet, Workload } from '#src/engine/objects/workload.js';
import { createPlacement } from '#src/engine/scheduler/placement.js';
import { type RolloutState, rolloutStateOf } from '#src/engine/workloads/rollout-state.js';
import { node } from './placement-builders.js';
import { buildDeployment, buildPod, buildReplicaSet, type DeploymentFields } from './rollout-builders.js';

const takenAt = '2026-11-20T09:30:00Z';

export function buildSnapshot(
  workload: Workload,
  objects: Partial<ClusterObjects> = {},
  fields: Partial<Snapshot> = {},
): Snapshot {
  const index = indexObjects(clusterObjects(objects));
  return { takenAt, cluster: 'prod', workload, index, logs: [], unseen: [], ...fields };
}

/** What a rule hands to a kind. */
export function examined<State extends RolloutState = RolloutState>(snapshot: Snapshot) {
  const placement = createPlacement(snapshot.index);
  const state = rolloutStateOf(snapshot) as State;
  return { snapshot, placement, state, simulator: podSimulatorOf({ snapshot, placement }) };
}

const gpu = 'nvidia.com/gpu';

export function gpuNode(name: string, gpus: number): Node {
  return node(name, { allocatable: { [gpu]: String(gpus) } });
}

export interface RolloutFields {
  readonly replicas?: number;
  /** Nodes of the old pods, which are ready. */
  readonly old?: readonly string[];
  /** New pods that wait. */
  readonly waiting?: number;
  /** GPUs a pod of each revision needs. */
  readonly oldNeeds?: number;
  readonly newNeeds?: number;
  readonly nodes?: readonly Node[];
  readonly deployment?: DeploymentFields;
  /** `spec.replicas` at the controller's last sync. */
  readonly desired?: number;
  readonly others?: readonly Pod[];
}

/**
 * `shop/web`: revision 1 holds GPUs, revision 2 waits for one; one replica on one node with one GPU by
 * default.
 */
export function stuckOnGpu(fields: RolloutFields = {}): Snapshot & { readonly workload: Deployment } {
  const { replicas = 1, old = ['gpu-a'], waiting = 1, oldNeeds = 1, newNeeds = 1 } = fields;
  const desired = fields.desired ?? replicas;
  const annotations = {
    'deployment.kubernetes.io/desired-replicas': String(desired),
    'deployment.kubernetes.io/max-replicas': String(desired + 1),
  };
  const needs = (image: string) => (image === 'web:1' ? oldNeeds : newNeeds);
  const needing = <Owner extends Deployment | ReplicaSet>(owner: Owner): Owner => {
    const { metadata, raw } = owner.spec.template;
    const image = owner.spec.template.spec.containers[0]?.image ?? '';
    const limits = { [gpu]: String(needs(image)) };
    const spec = { containers: [{ name: 'app', image, resources: { limits } }] };
    const template = PodTemplate.parse({ ...raw, metadata: { labels: metadata.labels }, spec });
    return { ...owner, spec: { ...owner.spec, template } };
  };
  const first = needing(
    buildReplicaSet({ revision: 1, replicas: old.length, available: old.length, annotations }),
  );
  const second = needing(buildReplicaSet({ revision: 2, replicas: waiting, annotations }));
  const workload = needing(buildDeployment({ replicas, ...fields.deployment }));
  const pods = [
    ...old.map((on, position) => gpuPod(first, `old-${position}`, oldNeeds, on)),
    ...Array.from({ length: waiting }, (_, position) => gpuPod(second, `new-${position}`, newNeeds)),
  ];
  return {
    ...buildSnapshot(workload, {
      Deployment: [workload],
      ReplicaSet: [first, second],
      Pod: [...pods, ...(fields.others ?? [])],
      Node: fields.nodes ?? [gpuNode('gpu-a', 1)],
    }),
    workload,
  };
}

export function gpuPod(
  { metadata, spec }: Pick<ReplicaSet, 'metadata' | 'spec'>,
  name: string,
  gpus: number,
  on?: string,
): Pod {
  const requests = { [gpu]: String(gpus) };
  return buildPod({
    name,
    owner: { name: metadata.name, uid: metadata.uid },
    labels: spec.template.metadata.labels,
    node: on,
    spec: { containers: [{ name: 'app', image: 'web:1', resources: { requests, limits: requests } }] },
  });
}

/** The pods of revision 2 that wait. */
export function waitingIn({ index }: Snapshot): readonly Pod[] {
  return (index.podsByOwner.get('web-2-uid') ?? []).filter(({ spec }) => spec.nodeName === undefined);
}

export function keysOf(statements: readonly { readonly key: string }[]): readonly string[] {
  return statements.map(({ key }) => key);
}

/** The plan, where there must be one. */
export function planned(outcome: Plan | Refusal): Plan {
  if (outcome.type === 'plan') return outcome;
  throw new Error(`refused: ${outcome.because.key}`);
}
