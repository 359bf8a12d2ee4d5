import type { Companions } from '#src/doctor/forecasts/check-manifests.js';
import { checkManifests } from '#src/doctor/forecasts/check-manifests.js';
import type { RolloutCheck } from '#src/doctor/forecasts/rollout-check.js';
import { plain } from '#src/engine/language/prose.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { type ClusterObjects, clusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import { parseServerVersion } from '#src/engine/objects/release-rules.js';
import type { Unseen } from '#src/engine/objects/snapshot.js';
import type { WorkloadKind } from '#src/engine/objects/workload.js';
import { createTell } from '#src/service/create-engine.js';

export const now = Date.parse('2026-11-20T09:30:00Z');
const started = '2026-11-20T08:00:00Z';
const tell = createTell();

type Fields = Readonly<Record<string, unknown>>;

/** What the workload `shop/web` serves with today, in revision 1, one pod on each node named. */
export interface Serving {
  readonly kind?: WorkloadKind;
  readonly on: readonly string[];
  /** Fields of the pod spec, in both revisions. */
  readonly pod?: Fields;
  readonly container?: Fields;
  /** Fields of the live spec beside template and selector. */
  readonly spec?: Fields;
  readonly annotations?: Readonly<Record<string, string>>;
}

export function template(image: string, { pod = {}, container = {} }: Partial<Serving> = {}): Fields {
  return {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'app', image, ...container }], ...pod },
  };
}

/** The workload with its pods, all ready since long. */
export function serving(shape: Serving): Partial<ClusterObjects> {
  const { kind = 'Deployment', on, spec = {}, annotations = {} } = shape;
  const meta = (name: string, uid: string, owner?: { readonly kind: string; readonly uid: string }) => ({
    name,
    namespace: 'shop',
    uid,
    generation: 1,
    creationTimestamp: started,
    annotations: { ...annotations, 'deployment.kubernetes.io/revision': '1' },
    labels: { app: 'web' },
    ownerReferences:
      owner === undefined ? [] : [{ ...owner, apiVersion: 'apps/v1', name: 'web', controller: true }],
  });
  const selector = { matchLabels: { app: 'web' } };
  const replicas = on.length;
  const counts = {
    replicas,
    readyReplicas: replicas,
    availableReplicas: replicas,
    updatedReplicas: replicas,
  };
  const revision = 'web-1';
  const workload = schemas[kind].parse({
    metadata: meta('web', 'web-uid'),
    spec: {
      ...(kind === 'DaemonSet' ? {} : { replicas }),
      selector,
      template: template('web:1', shape),
      ...spec,
    },
    status: { observedGeneration: 1, currentRevision: revision, updateRevision: revision, ...counts },
  });
  const owner = kind === 'Deployment' ? { kind: 'ReplicaSet', uid: 'rs-uid' } : { kind, uid: 'web-uid' };
  const pods = on.map((nodeName, ordinal) => {
    const name = kind === 'StatefulSet' ? `web-${ordinal}` : `web-1-${ordinal}`;
    const made = template('web:1', shape) as { readonly metadata: Fields; readonly spec: Fields };
    const labels = {
      app: 'web',
      ...(kind === 'Deployment' ? { 'pod-template-hash': '1' } : { 'controller-revision-hash': revision }),
    };
    return schemas.Pod.parse({
      metadata: { ...meta(name, name, owner), labels },
      spec: { ...made.spec, ...withRequests(shape.container), nodeName, terminationGracePeriodSeconds: 30 },
      status: {
        phase: 'Running',
        startTime: started,
        conditions: [
          { type: 'PodScheduled', status: 'True', lastTransitionTime: started },
          { type: 'Ready', status: 'True', lastTransitionTime: '2026-11-20T08:00:20Z' },
        ],
        containerStatuses: [{ name: 'app', ready: true, restartCount: 0 }],
      },
    });
  });
  const replicaSet = schemas.ReplicaSet.parse({
    metadata: { ...meta('web-1', 'rs-uid', { kind: 'Deployment', uid: 'web-uid' }) },
    spec: { replicas, selector, template: template('web:1', shape) },
    status: { ...counts, observedGeneration: 1 },
  });
  const controllerRevision = schemas.ControllerRevision.parse({
    metadata: {
      ...meta(revision, 'cr-uid', { kind, uid: 'web-uid' }),
      labels: { 'controller-revision-hash': revision },
    },
    revision: 1,
    data: { spec: { template: { ...template('web:1', shape), $patch: 'replace' } } },
  });
  return {
    [kind]: [workload],
    Pod: pods,
    ...(kind === 'Deployment' ? { ReplicaSet: [replicaSet] } : { ControllerRevision: [controllerRevision] }),
  };
}

/** Pods in the API have requests where only limits were written. */
function withRequests(container: Fields = {}): Fields {
  const resources = (container.resources ?? {}) as { readonly limits?: Fields; readonly requests?: Fields };
  const requests = { ...resources.limits, ...resources.requests };
  return {
    containers: [{ name: 'app', image: 'web:1', ...container, resources: { ...resources, requests } }],
  };
}

export interface Update {
  readonly cluster: readonly Partial<ClusterObjects>[];
  /** Fields of the manifest's spec beside the template; the image is new. */
  readonly spec?: Fields;
  readonly image?: string;
  readonly shape?: Partial<Serving>;
  readonly companions?: Partial<Companions>;
  readonly unseen?: readonly Unseen[];
}

export interface Told extends RolloutCheck {
  /** Summary and reasoning in English. */
  readonly says: readonly string[];
}

/** Checks a manifest of `shop/web` whose image is `web:2`. */
export function check({
  cluster,
  spec = {},
  image = 'web:2',
  shape = {},
  companions,
  unseen = [],
}: Update): Told {
  const { kind = 'Deployment' } = shape;
  const raw = {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'web', namespace: 'shop' },
    spec: { selector: { matchLabels: { app: 'web' } }, template: template(image, shape), ...spec },
  };
  const [answer] = checkManifests({
    index: indexObjects(merged(cluster), undefined, parseServerVersion('v1.36.3')),
    unseen,
    cluster: 'test',
    now,
    manifests: [{ kind, namespace: 'shop', name: 'web', raw }],
    companions: {
      ResourceQuota: [],
      LimitRange: [],
      PriorityClass: [],
      PersistentVolumeClaim: [],
      ...companions,
    },
  });
  if (answer === undefined) throw new Error('no answer');
  const says = [answer.summary, ...answer.reasoning].map((statement) => plain(tell(statement, 'en')));
  return { ...answer, says };
}

function merged(parts: readonly Partial<ClusterObjects>[]): ClusterObjects {
  const all: Record<string, unknown[]> = {};
  for (const part of parts) {
    for (const [kind, items] of Object.entries(part)) all[kind] = [...(all[kind] ?? []), ...items];
  }
  return clusterObjects(all as Partial<ClusterObjects>);
}

export function quota(hard: Readonly<Record<string, string>>, used: Readonly<Record<string, string>>) {
  return schemas.ResourceQuota.parse({
    metadata: { name: 'team', namespace: 'shop' },
    spec: { hard },
    status: { hard, used },
  });
}
