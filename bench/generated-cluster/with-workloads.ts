import { z } from 'zod';
import { type ApiObject, uidOf } from './api-object.js';

const Owned = z.object({
  metadata: z.object({
    namespace: z.string(),
    labels: z.record(z.string(), z.string()),
    ownerReferences: z.array(z.object({ kind: z.string(), name: z.string(), uid: z.string() })),
  }),
  spec: z.looseObject({ nodeName: z.string().optional() }),
});

interface Group {
  readonly first: z.output<typeof Owned>;
  pods: number;
}

/**
 * The same cluster with a healthy Deployment and its ReplicaSet for the pods of each owner that is not in it.
 */
export function* withWorkloads(objects: Iterable<ApiObject>): Generator<ApiObject> {
  const groups = new Map<string, Group>();
  const known = new Set<string>();
  for (const object of objects) {
    yield object;
    if (object.kind === 'ReplicaSet') known.add(object.metadata.uid);
    const pod = object.kind === 'Pod' ? Owned.parse(object) : undefined;
    const uid = pod?.metadata.ownerReferences[0]?.uid;
    if (pod === undefined || uid === undefined) continue;
    const group = groups.get(uid) ?? { first: pod, pods: 0 };
    group.pods += 1;
    groups.set(uid, group);
  }
  const unknown = [...groups].filter(([uid]) => !known.has(uid));
  for (const [number, [uid, group]] of unknown.entries()) yield* workloadOf(uid, group, number);
}

function* workloadOf(replicaSetUid: string, { first, pods }: Group, number: number): Generator<ApiObject> {
  const { namespace, labels } = first.metadata;
  const { 'pod-template-hash': hash = '', ...own } = labels;
  const name = own.app ?? '';
  const { nodeName: _, ...spec } = first.spec;
  const createdAt = '2026-11-01T08:00:00Z';
  const counts = { replicas: pods, readyReplicas: pods, availableReplicas: pods, observedGeneration: 1 };
  const uid = uidOf(5, 1_000 + number);
  const revision = { 'deployment.kubernetes.io/revision': '1' };
  yield {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, uid, generation: 1, creationTimestamp: createdAt, annotations: revision },
    spec: {
      replicas: pods,
      selector: { matchLabels: { app: name } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      template: { metadata: { labels: own }, spec },
    },
    status: { ...counts, updatedReplicas: pods },
  };
  yield {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      uid: replicaSetUid,
      generation: 1,
      creationTimestamp: createdAt,
      labels: { app: name, 'pod-template-hash': hash },
      annotations: revision,
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name, uid, controller: true }],
    },
    spec: {
      replicas: pods,
      selector: { matchLabels: { app: name, 'pod-template-hash': hash } },
      template: { metadata: { labels: { ...own, 'pod-template-hash': hash } }, spec },
    },
    status: { ...counts, fullyLabeledReplicas: pods },
  };
}
