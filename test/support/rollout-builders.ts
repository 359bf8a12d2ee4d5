import { Pod } from '#src/engine/objects/pod.js';
import { Deployment, ReplicaSet } from '#src/engine/objects/workload.js';
import { apiTime } from '#src/engine/workloads/creation-order.js';
import type { DeploymentState } from '#src/engine/workloads/rollout-state.js';

/** The moment of every test, in epoch milliseconds. */
export const now = Date.parse('2026-11-20T09:30:00Z');

export function ago(seconds: number): string {
  return apiTime(now - seconds * 1000);
}

export function buildTemplate(image: string, spec: object = {}): Record<string, unknown> {
  return {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'app', image }], ...spec },
  };
}

export interface DeploymentFields {
  readonly replicas?: number;
  readonly maxSurge?: number | string;
  readonly maxUnavailable?: number | string;
  readonly recreate?: boolean;
  readonly image?: string;
  readonly paused?: boolean;
  readonly generation?: number;
  readonly minReadySeconds?: number;
  readonly progressDeadlineSeconds?: number;
  readonly revisionHistoryLimit?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Record<string, string>;
  readonly status?: object;
  readonly deleted?: boolean;
}

export function buildDeployment(fields: DeploymentFields = {}): Deployment {
  const generation = fields.generation ?? 2;
  return Deployment.parse({
    metadata: {
      name: 'web',
      namespace: 'shop',
      uid: 'web-uid',
      generation,
      annotations: fields.annotations ?? {},
      labels: fields.labels ?? {},
      ...(fields.deleted ? { deletionTimestamp: ago(5) } : {}),
    },
    spec: {
      replicas: fields.replicas ?? 1,
      selector: { matchLabels: { app: 'web' } },
      template: buildTemplate(fields.image ?? 'web:2'),
      strategy: fields.recreate
        ? { type: 'Recreate' }
        : {
            type: 'RollingUpdate',
            rollingUpdate: {
              maxSurge: fields.maxSurge ?? '25%',
              maxUnavailable: fields.maxUnavailable ?? '25%',
            },
          },
      paused: fields.paused ?? false,
      minReadySeconds: fields.minReadySeconds ?? 0,
      progressDeadlineSeconds: fields.progressDeadlineSeconds,
      revisionHistoryLimit: fields.revisionHistoryLimit,
    },
    status: { observedGeneration: generation, ...fields.status },
  });
}

export interface ReplicaSetFields {
  readonly name?: string;
  /** Number of the image tag, of the revision and of the age. */
  readonly revision: number;
  readonly replicas: number;
  readonly available?: number;
  /** Pods that exist; as many as wanted by default. */
  readonly exist?: number;
  readonly minReadySeconds?: number;
  readonly annotations?: Record<string, string>;
  readonly status?: object;
  readonly metadata?: object;
}

/** A ReplicaSet of `buildDeployment`, whose image is `web:<revision>`; higher revisions are younger. */
export function buildReplicaSet(fields: ReplicaSetFields): ReplicaSet {
  const name = fields.name ?? `web-${fields.revision}`;
  const template = buildTemplate(`web:${fields.revision}`);
  const available = fields.available ?? 0;
  return ReplicaSet.parse({
    metadata: {
      name,
      namespace: 'shop',
      uid: `${name}-uid`,
      generation: 1,
      creationTimestamp: ago(100_000 - fields.revision * 1000),
      annotations: { 'deployment.kubernetes.io/revision': String(fields.revision), ...fields.annotations },
      ownerReferences: [{ kind: 'Deployment', name: 'web', uid: 'web-uid', controller: true }],
      ...fields.metadata,
    },
    spec: {
      replicas: fields.replicas,
      minReadySeconds: fields.minReadySeconds ?? 0,
      selector: { matchLabels: { app: 'web', 'pod-template-hash': name } },
      template: { ...template, metadata: { labels: { app: 'web', 'pod-template-hash': name } } },
    },
    status: {
      observedGeneration: 1,
      replicas: fields.exist ?? fields.replicas,
      readyReplicas: available,
      availableReplicas: available,
      terminatingReplicas: 0,
      ...fields.status,
    },
  });
}

export interface PodFields {
  readonly name: string;
  readonly owner?: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly uid: string;
  };
  readonly node?: string | undefined;
  readonly phase?: string;
  readonly ready?: boolean;
  /** Seconds since creation, and since it became ready. */
  readonly age?: number;
  readonly readyFor?: number;
  readonly terminating?: boolean;
  readonly restarts?: number;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  readonly spec?: object;
  readonly status?: object;
  readonly uid?: string;
}

/** A running, ready pod on `n-a` by default; `node: undefined` leaves it unscheduled. */
export function buildPod(fields: PodFields): Pod {
  const node = 'node' in fields ? fields.node : 'n-a';
  const age = fields.age ?? 3600;
  const phase = fields.phase ?? (node === undefined ? 'Pending' : 'Running');
  const ready = fields.ready ?? phase === 'Running';
  return Pod.parse({
    metadata: {
      name: fields.name,
      namespace: 'shop',
      uid: fields.uid ?? `${fields.name}-uid`,
      creationTimestamp: ago(age),
      labels: { app: 'web', ...fields.labels },
      annotations: fields.annotations ?? {},
      ownerReferences: [
        { kind: 'ReplicaSet', name: 'web-1', controller: true, ...(fields.owner ?? { uid: 'web-1-uid' }) },
      ],
      ...(fields.terminating ? { deletionTimestamp: ago(1), deletionGracePeriodSeconds: 30 } : {}),
    },
    spec: { containers: [{ name: 'app', image: 'web:1' }], nodeName: node, ...fields.spec },
    status: {
      phase,
      conditions: [
        node === undefined
          ? { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', lastTransitionTime: ago(age) }
          : { type: 'PodScheduled', status: 'True', lastTransitionTime: ago(age) },
        ...(node === undefined
          ? []
          : [
              {
                type: 'Ready',
                status: ready ? 'True' : 'False',
                lastTransitionTime: ago(ready ? (fields.readyFor ?? age) : age),
              },
            ]),
      ],
      containerStatuses: [{ name: 'app', ready, restartCount: fields.restarts ?? 0 }],
      ...fields.status,
    },
  });
}

/**
 * `ready` pods that are ready and `waiting` that were never scheduled, of one ReplicaSet, each on its own
 * node.
 */
export function buildPods(replicaSet: ReplicaSet, ready: number, waiting = 0): readonly Pod[] {
  const owner = { name: replicaSet.metadata.name, uid: replicaSet.metadata.uid };
  const labels = replicaSet.spec.template.metadata.labels;
  return Array.from({ length: ready + waiting }, (_, position) =>
    buildPod({
      name: `${replicaSet.metadata.name}-${position}`,
      owner,
      labels,
      node: position < ready ? `n-${position}` : undefined,
    }),
  );
}

export function buildState(
  deployment: Deployment,
  replicaSets: readonly ReplicaSet[],
  pods: readonly Pod[] = [],
): DeploymentState {
  return { kind: 'Deployment', deployment, replicaSets, pods, now };
}
