import { Event } from '#src/engine/objects/event.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { type HorizontalPodAutoscaler, LimitRange, ResourceQuota } from '#src/engine/objects/policy.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { ReplicaSet, StatefulSet } from '#src/engine/objects/workload.js';
import { node } from '../../../support/placement-builders.js';
import { buildSnapshot } from '../../../support/remediation-builders.js';
import {
  ago,
  buildDeployment,
  buildPod,
  buildReplicaSet,
  buildTemplate,
  type DeploymentFields,
  type PodFields,
} from '../../../support/rollout-builders.js';

export type List = Readonly<Record<string, string>>;

export interface QuotaFields {
  readonly name?: string;
  readonly hard: List;
  readonly used: List;
  readonly scopes?: readonly string[];
}

export function quota({ name = 'team', hard, used, scopes = [] }: QuotaFields): ResourceQuota {
  return ResourceQuota.parse({
    metadata: { name, namespace: 'shop' },
    spec: { hard, scopes: [...scopes] },
    status: { hard, used },
  });
}

export function containerDefaults(request: List): LimitRange {
  return LimitRange.parse({
    metadata: { name: 'defaults', namespace: 'shop' },
    spec: { limits: [{ type: 'Container', defaultRequest: request }] },
  });
}

/** What the API server answers when a quota has too little. */
export function exceededMessage(name: string, requested: List, used: List, limited: List): string {
  const list = (amounts: List) =>
    Object.entries(amounts)
      .map(([resource, amount]) => `${resource}=${amount}`)
      .join(',');
  return `pods "web-2-x7k2p" is forbidden: exceeded quota: ${name}, requested: ${list(requested)}, used: ${list(used)}, limited: ${list(limited)}`;
}

export interface RefusedFields {
  readonly replicas?: number;
  /** Ready pods of revision 1. */
  readonly old?: number;
  /** Requests of old and of new pods. */
  readonly oldAsks?: List;
  readonly newAsks?: List;
  /** Pods that revision 2 wants and does not have. */
  readonly missing?: number;
  readonly message?: string | undefined;
  /** Seconds since the refusal. */
  readonly since?: number;
  readonly quotas?: readonly ResourceQuota[];
  readonly limitRanges?: readonly LimitRange[];
  readonly deployment?: DeploymentFields;
  /** Pods of revision 2 that exist. */
  readonly newPods?: readonly PodFields[];
  readonly others?: readonly Pod[];
  readonly statefulSets?: readonly StatefulSet[];
  readonly autoscalers?: readonly HorizontalPodAutoscaler[];
  readonly events?: readonly Event[];
  readonly nodes?: readonly string[];
  readonly unseen?: Snapshot['unseen'];
}

const memory = (amount: string): List => ({ 'requests.memory': amount });

/**
 * `shop/web` mid-rollout: revision 2 wants a pod that the API server refuses, since a quota of 4Gi of memory
 * is used up by three old pods of 1Gi and one of another workload by default.
 */
export function refused(fields: RefusedFields = {}): Snapshot {
  const { replicas = 3, old = 3, missing = 1, since = 1500, newPods = [] } = fields;
  const oldAsks = fields.oldAsks ?? { memory: '1Gi' };
  const newAsks = fields.newAsks ?? { memory: '1Gi' };
  const annotations = {
    'deployment.kubernetes.io/desired-replicas': String(replicas),
    'deployment.kubernetes.io/max-replicas': String(replicas + 1),
  };
  const message =
    'message' in fields
      ? fields.message
      : exceededMessage('team', memory('1Gi'), memory('4Gi'), memory('4Gi'));
  const failure = {
    type: 'ReplicaFailure',
    status: 'True',
    reason: 'FailedCreate',
    message,
    lastTransitionTime: ago(since),
  };
  const first = withRequests(
    buildReplicaSet({ revision: 1, replicas: old, available: old, annotations }),
    oldAsks,
  );
  const second = withRequests(
    buildReplicaSet({
      revision: 2,
      replicas: missing + newPods.length,
      exist: newPods.length,
      annotations,
      status: { conditions: message === undefined ? [] : [failure] },
    }),
    newAsks,
  );
  const ready = old + newPods.filter((each) => each.ready !== false && !('node' in each)).length;
  const workload = buildDeployment({ replicas, ...fields.deployment });
  const template = buildTemplate('web:2', asking(newAsks, 'web:2'));
  const deployment = {
    ...workload,
    spec: {
      ...workload.spec,
      template: { ...second.spec.template, raw: template, metadata: plainLabels(second) },
    },
    status: { ...workload.status, readyReplicas: ready, availableReplicas: ready },
  };
  const pods = [
    ...Array.from({ length: old }, (_, position) => ownPod(first, `old-${position}`, oldAsks, { name: '' })),
    ...newPods.map((each) => ownPod(second, each.name, newAsks, each)),
  ];
  return buildSnapshot(
    deployment,
    {
      Deployment: [deployment],
      ReplicaSet: [first, second],
      Pod: [...pods, ...(fields.others ?? [])],
      Node: (fields.nodes ?? ['n-a']).map((name) =>
        node(name, { allocatable: { memory: '64Gi', cpu: '32' } }),
      ),
      ResourceQuota: fields.quotas ?? [quota({ hard: memory('4Gi'), used: memory('4Gi') })],
      LimitRange: fields.limitRanges ?? [],
      StatefulSet: fields.statefulSets ?? [],
      HorizontalPodAutoscaler: fields.autoscalers ?? [],
      Event: fields.events ?? [],
    },
    { unseen: fields.unseen ?? [] },
  );
}

function asking(requests: List, image: string): object {
  return { containers: [{ name: 'app', image, resources: { requests } }] };
}

function withRequests(replicaSet: ReplicaSet, requests: List): ReplicaSet {
  const { template } = replicaSet.spec;
  const [container] = template.spec.containers;
  if (container === undefined) throw new Error('a template has a container');
  const resources = { ...container.resources, requests };
  const raw = { ...template.raw, spec: asking(requests, container.image) };
  return {
    ...replicaSet,
    spec: {
      ...replicaSet.spec,
      template: { ...template, spec: { ...template.spec, containers: [{ ...container, resources }] }, raw },
    },
  };
}

function plainLabels({ spec }: ReplicaSet): ReplicaSet['spec']['template']['metadata'] {
  const { 'pod-template-hash': _hash, ...labels } = spec.template.metadata.labels;
  return { ...spec.template.metadata, labels };
}

function ownPod({ metadata, spec }: ReplicaSet, name: string, requests: List, fields: PodFields): Pod {
  return buildPod({
    ...fields,
    name,
    owner: { name: metadata.name, uid: metadata.uid },
    labels: spec.template.metadata.labels,
    spec: asking(requests, 'web:1'),
  });
}

/** A pod of another workload in the same namespace. */
export function foreignPod(name: string, requests: List, fields: Partial<PodFields> = {}): Pod {
  return buildPod({
    name,
    owner: { name: 'cache-1', uid: 'cache-uid' },
    labels: { app: 'cache' },
    spec: asking(requests, 'cache:1'),
    ...fields,
  });
}

/** A controller's event about revision 2, or about another object by uid. */
export function creationEvent(
  reason: 'FailedCreate' | 'SuccessfulCreate',
  message: string,
  secondsAgo: number,
  uid = 'web-2-uid',
): Event {
  return Event.parse({
    metadata: { name: `${uid}.${secondsAgo}`, namespace: 'shop' },
    involvedObject: { kind: 'ReplicaSet', namespace: 'shop', name: 'web-2', uid },
    type: reason === 'FailedCreate' ? 'Warning' : 'Normal',
    reason,
    message,
    firstTimestamp: ago(secondsAgo + 60),
    lastTimestamp: ago(secondsAgo),
  });
}
