import { indexObjects } from '#src/engine/objects/cluster-index.js';
import {
  type ClusterObjects,
  clusterObjects,
  type ResourceKind,
  schemas,
} from '#src/engine/objects/cluster-objects.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { Workload, WorkloadKind } from '#src/engine/objects/workload.js';

type Wire = Record<string, unknown>;

/**
 * One workload with its pods, nodes and quota, as the API server would send them. Each attack changes some of
 * it.
 */
export interface RawCluster {
  readonly workload: { metadata: Wire; spec: Wire; status: Wire };
  readonly template: { metadata: Wire; spec: Wire };
  readonly owned: { metadata: Wire; spec: Wire; status: Wire; [field: string]: unknown }[];
  readonly pods: { metadata: Wire; spec: Wire; status: Wire }[];
  readonly nodes: { metadata: Wire; spec: Wire; status: Wire }[];
  readonly quota: { metadata: Wire; spec: Wire; status: Wire };
  readonly others: Partial<Record<ResourceKind, Wire[]>>;
}

export interface Attack {
  readonly name: string;
  readonly kind: WorkloadKind;
  readonly change: (cluster: RawCluster) => void;
}

const takenAt = '2026-11-20T09:30:00Z';
const started = '2026-11-20T08:00:00Z';
const gpu = 'nvidia.com/gpu';

function meta(name: string, owner?: { kind: string; uid: string }): Wire {
  return {
    name,
    namespace: 'shop',
    uid: `${name}-uid`,
    generation: 2,
    creationTimestamp: started,
    labels: { app: 'web' },
    annotations: {},
    ownerReferences:
      owner === undefined ? [] : [{ ...owner, apiVersion: 'apps/v1', name: 'web', controller: true }],
  };
}

function template(image: string): RawCluster['template'] {
  const resources = { limits: { [gpu]: '1' }, requests: { [gpu]: '1', cpu: '100m' } };
  return {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'app', image, resources }], terminationGracePeriodSeconds: 30 },
  };
}

/**
 * `shop/web` with two ready pods of revision 1, one pod of revision 2 that waits for a GPU, and two nodes.
 */
export function rawCluster(kind: WorkloadKind): RawCluster {
  const counts = { replicas: 2, readyReplicas: 2, availableReplicas: 2 };
  const newTemplate = template('web:2');
  const owner = kind === 'Deployment' ? { kind: 'ReplicaSet', uid: 'web-1-uid' } : { kind, uid: 'web-uid' };
  const newOwner = kind === 'Deployment' ? { ...owner, uid: 'web-2-uid' } : owner;
  const revision = (number: number) => {
    const of = template(`web:${number}`);
    const metadata: Wire = {
      ...meta(`web-${number}`, { kind, uid: 'web-uid' }),
      labels: { 'controller-revision-hash': `web-${number}` },
    };
    metadata.annotations = {
      'deployment.kubernetes.io/revision': String(number),
      'deployment.kubernetes.io/desired-replicas': '2',
    };
    return {
      metadata,
      revision: number,
      data: { spec: { template: { ...of, $patch: 'replace' } } },
      spec: { replicas: number === 1 ? 2 : 1, selector: { matchLabels: { app: 'web' } }, template: of },
      status: number === 1 ? { ...counts, observedGeneration: 2 } : { replicas: 1, observedGeneration: 2 },
    };
  };
  const pod = (name: string, of: number, node: string | undefined) => ({
    metadata: {
      ...meta(name, of === 1 ? owner : newOwner),
      labels: { app: 'web', 'controller-revision-hash': `web-${of}` },
    },
    spec: { ...template(`web:${of}`).spec, ...(node === undefined ? {} : { nodeName: node }) },
    status:
      node === undefined
        ? {
            phase: 'Pending',
            conditions: [
              {
                type: 'PodScheduled',
                status: 'False',
                reason: 'Unschedulable',
                message: '0/2 nodes are available: 2 Insufficient nvidia.com/gpu.',
                lastTransitionTime: started,
              },
            ],
          }
        : {
            phase: 'Running',
            startTime: started,
            conditions: [
              { type: 'PodScheduled', status: 'True', lastTransitionTime: started },
              { type: 'Ready', status: 'True', lastTransitionTime: '2026-11-20T08:00:20Z' },
            ],
            containerStatuses: [{ name: 'app', ready: true, restartCount: 0 }],
          },
  });
  const node = (name: string) => ({
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    spec: {},
    status: {
      allocatable: { cpu: '8', memory: '32Gi', pods: '110', [gpu]: '1' },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  });
  return {
    workload: {
      metadata: {
        ...meta('web'),
        annotations: { 'deployment.kubernetes.io/revision': '2' },
      },
      spec: {
        ...(kind === 'DaemonSet' ? {} : { replicas: 2 }),
        selector: { matchLabels: { app: 'web' } },
        template: newTemplate,
        ...(kind === 'Deployment'
          ? { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }
          : { updateStrategy: { type: 'RollingUpdate', rollingUpdate: {} } }),
      },
      status: {
        ...counts,
        observedGeneration: 2,
        updatedReplicas: 1,
        currentRevision: 'web-1',
        updateRevision: 'web-2',
        desiredNumberScheduled: 2,
        numberReady: 2,
        conditions: [
          { type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated', lastUpdateTime: started },
        ],
      },
    },
    template: newTemplate,
    owned: [revision(1), revision(2)],
    pods: [pod('web-0', 1, 'n-a'), pod('web-1', 1, 'n-b'), pod('web-2', 2, undefined)],
    nodes: [node('n-a'), node('n-b')],
    quota: {
      metadata: { name: 'team', namespace: 'shop' },
      spec: { hard: {} },
      status: { hard: {}, used: {} },
    },
    others: {},
  };
}

export function snapshotOf(attack: Pick<Attack, 'kind' | 'change'>): Snapshot {
  const raw = rawCluster(attack.kind);
  attack.change(raw);
  const workload: Workload = schemas[attack.kind].parse(raw.workload);
  const owned = attack.kind === 'Deployment' ? 'ReplicaSet' : 'ControllerRevision';
  const parsed: Record<string, unknown[]> = {
    [attack.kind]: [workload],
    [owned]: raw.owned.map((each) => schemas[owned].parse(each)),
    Pod: raw.pods.map((each) => schemas.Pod.parse(each)),
    Node: raw.nodes.map((each) => schemas.Node.parse(each)),
    ResourceQuota: [schemas.ResourceQuota.parse(raw.quota)],
  };
  for (const [kind, items] of Object.entries(raw.others)) {
    parsed[kind] = items.map((each) => schemas[kind as ResourceKind].parse(each));
  }
  const index = indexObjects(clusterObjects(parsed as Partial<ClusterObjects>));
  return { takenAt, cluster: 'prod', workload, index, logs: [], unseen: [] };
}
