import type { WorkloadKind } from '#src/engine/objects/workload.js';
import type { Attack, RawCluster } from '../../support/hostile-snapshots.js';
import { crowdedClusters } from './hostile-crowds.js';

const kinds = ['Deployment', 'StatefulSet', 'DaemonSet'] as const;
const listOf = <Item>(count: number, item: (position: number) => Item): Item[] =>
  Array.from({ length: count }, (_, position) => item(position));

function attack(kind: WorkloadKind, name: string, change: (cluster: RawCluster) => void): Attack {
  return { kind, name: `${kind}: ${name}`, change };
}

const replicas = [2_000_000_000, 100_000, 10_000, 0, -1, 9e15];
const bounds: readonly (readonly [number | string, number | string])[] = [
  [2_000_000_000, 0],
  [0, 2_000_000_000],
  ['100%', '0%'],
  ['99999999999999999999%', '99999999999999999999%'],
  [-5, -5],
  [0, 1],
  ['25%', '25%'],
];

const deployments: readonly Attack[] = [
  ...replicas.flatMap((count) =>
    bounds.map(([maxSurge, maxUnavailable]) =>
      attack(
        'Deployment',
        `replicas ${count}, surge ${maxSurge}, unavailable ${maxUnavailable}`,
        (cluster) => {
          cluster.workload.spec.replicas = count;
          cluster.workload.spec.strategy = {
            type: 'RollingUpdate',
            rollingUpdate: { maxSurge, maxUnavailable },
          };
        },
      ),
    ),
  ),
  ...replicas.map((count) =>
    attack('Deployment', `Recreate, replicas ${count}`, (cluster) => {
      cluster.workload.spec.replicas = count;
      cluster.workload.spec.strategy = { type: 'Recreate' };
    }),
  ),
  ...replicas.map((count) =>
    attack('Deployment', `ReplicaSets of ${count}`, (cluster) => {
      for (const { spec, status } of cluster.owned) {
        spec.replicas = count;
        Object.assign(status, { replicas: count, readyReplicas: count, availableReplicas: count });
      }
      Object.assign(cluster.workload.status, { replicas: count, updatedReplicas: count });
    }),
  ),
  ...[2_000_000_000, -7].map((count) =>
    attack(
      'Deployment',
      `ReplicaSets and Deployment of ${count}, with annotations of other sizes`,
      (cluster) => {
        cluster.workload.spec.replicas = count;
        for (const { metadata, spec } of cluster.owned) {
          spec.replicas = count;
          metadata.annotations = {
            ...(metadata.annotations as object),
            'deployment.kubernetes.io/desired-replicas': '7',
            'deployment.kubernetes.io/max-replicas': '1',
          };
        }
      },
    ),
  ),
  attack('Deployment', '2,000,000,000 replicas that need nothing', (cluster) => {
    cluster.workload.spec.replicas = 2_000_000_000;
    for (const { spec } of [cluster.template, ...cluster.pods]) {
      spec.containers = [{ name: 'app', image: 'web:2' }];
    }
  }),
  attack('Deployment', 'no revision history, and a progress deadline of 9e15 s', (cluster) => {
    Object.assign(cluster.workload.spec, { revisionHistoryLimit: -1, progressDeadlineSeconds: 9e15 });
  }),
  attack('Deployment', 'a paused rollout of 2,000,000,000', (cluster) => {
    Object.assign(cluster.workload.spec, { paused: true, replicas: 2_000_000_000 });
  }),
];

const statefulSets: readonly Attack[] = [
  ...replicas.flatMap((count) =>
    ['OrderedReady', 'Parallel'].map((podManagementPolicy) =>
      attack('StatefulSet', `${podManagementPolicy}, replicas ${count}`, (cluster) => {
        Object.assign(cluster.workload.spec, { replicas: count, podManagementPolicy });
      }),
    ),
  ),
  ...[2_000_000_000, -3, 9e15].flatMap((number) => [
    attack('StatefulSet', `partition ${number}`, (cluster) => {
      cluster.workload.spec.updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: number } };
    }),
    attack('StatefulSet', `ordinals from ${number}`, (cluster) => {
      Object.assign(cluster.workload.spec, { ordinals: { start: number }, podManagementPolicy: 'Parallel' });
    }),
    attack('StatefulSet', `maxUnavailable ${number} of 2,000,000,000`, (cluster) => {
      cluster.workload.spec.replicas = 2_000_000_000;
      cluster.workload.spec.updateStrategy = { rollingUpdate: { maxUnavailable: number } };
    }),
  ]),
  attack('StatefulSet', '2,000,000,000 replicas with 1,000 claims each', (cluster) => {
    cluster.workload.spec.replicas = 2_000_000_000;
    cluster.workload.spec.volumeClaimTemplates = listOf(1_000, (position) => ({
      metadata: { name: `data-${position}` },
      spec: { accessModes: ['ReadWriteOnce'] },
    }));
  }),
];

const daemonSets: readonly Attack[] = [
  ...bounds.map(([maxSurge, maxUnavailable]) =>
    attack('DaemonSet', `surge ${maxSurge}, unavailable ${maxUnavailable}`, (cluster) => {
      cluster.workload.spec.updateStrategy = { rollingUpdate: { maxSurge, maxUnavailable } };
    }),
  ),
  attack('DaemonSet', 'a status of 2,000,000,000 nodes', (cluster) => {
    Object.assign(cluster.workload.status, {
      desiredNumberScheduled: 2_000_000_000,
      numberReady: -1,
      numberUnavailable: 9e15,
    });
  }),
];

/** Fields of every pod. */
function ofAllPods(cluster: RawCluster, fields: () => Record<string, unknown>): void {
  for (const { spec } of [cluster.template, ...cluster.pods]) Object.assign(spec, fields());
}

function ofAllContainers(cluster: RawCluster, fields: () => Record<string, unknown>): void {
  ofAllPods(cluster, () => ({
    containers: [{ name: 'app', image: 'web:2', resources: { requests: { [gpu]: '1' } }, ...fields() }],
  }));
}

const gpu = 'nvidia.com/gpu';
const quantities = [
  '1e308',
  '9'.repeat(5_000),
  `0.${'0'.repeat(120)}1`,
  '-1e999',
  '1E999',
  '99999999999999999999Ei',
];

const shared: readonly Attack[] = kinds.flatMap((kind) => [
  ...[9e15, 2_147_483_647, -9e15].flatMap((seconds) => [
    attack(kind, `minReadySeconds ${seconds}`, (cluster) => {
      cluster.workload.spec.minReadySeconds = seconds;
      for (const { spec } of cluster.owned) spec.minReadySeconds = seconds;
    }),
    attack(kind, `a grace period of ${seconds} s`, (cluster) =>
      ofAllPods(cluster, () => ({ terminationGracePeriodSeconds: seconds })),
    ),
    attack(kind, `probes every ${seconds} s`, (cluster) => {
      const probe = {
        httpGet: { port: 80 },
        initialDelaySeconds: seconds,
        periodSeconds: seconds,
        failureThreshold: seconds,
        timeoutSeconds: seconds,
      };
      ofAllContainers(cluster, () => ({
        readinessProbe: probe,
        startupProbe: probe,
        livenessProbe: probe,
      }));
    }),
    attack(kind, `restart counts and priorities of ${seconds}`, (cluster) => {
      ofAllPods(cluster, () => ({ priority: seconds }));
      for (const { status } of cluster.pods) {
        status.containerStatuses = [{ name: 'app', ready: false, restartCount: seconds }];
      }
    }),
  ]),
  ...quantities.flatMap((quantity) => [
    attack(kind, `a quota of ${quantity.slice(0, 12)}`, (cluster) => {
      const hard = { pods: quantity, 'requests.cpu': quantity, [`requests.${gpu}`]: quantity };
      cluster.quota.spec.hard = hard;
      cluster.quota.status = { hard, used: hard };
    }),
    attack(kind, `requests of ${quantity.slice(0, 12)}`, (cluster) =>
      ofAllContainers(cluster, () => ({ resources: { requests: { cpu: quantity, [gpu]: quantity } } })),
    ),
    attack(kind, `nodes with ${quantity.slice(0, 12)}`, (cluster) => {
      for (const { status } of cluster.nodes) {
        status.allocatable = { cpu: quantity, pods: quantity, [gpu]: quantity };
      }
    }),
  ]),
  attack(kind, '10,000 containers', (cluster) =>
    ofAllPods(cluster, () => ({
      containers: listOf(10_000, (position) => ({ name: `c${position}`, image: 'web:2' })),
    })),
  ),
  attack(kind, '10,000 init containers that restart', (cluster) =>
    ofAllPods(cluster, () => ({
      initContainers: listOf(10_000, (position) => ({
        name: `c${position}`,
        image: 'web:2',
        restartPolicy: 'Always',
        resources: { requests: { cpu: '1m' } },
      })),
    })),
  ),
  attack(kind, '10,000 terms of node affinity', (cluster) =>
    ofAllPods(cluster, () => ({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: listOf(10_000, (position) => ({
              matchExpressions: [{ key: `k${position}`, operator: 'In', values: ['v'] }],
            })),
          },
        },
      },
    })),
  ),
  attack(kind, '10,000 terms of pod anti-affinity', (cluster) =>
    ofAllPods(cluster, () => ({
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: listOf(10_000, (position) => ({
            topologyKey: `k${position}`,
            labelSelector: { matchLabels: { app: 'web' } },
          })),
        },
      },
    })),
  ),
  attack(kind, '10,000 spread constraints', (cluster) =>
    ofAllPods(cluster, () => ({
      topologySpreadConstraints: listOf(10_000, (position) => ({
        maxSkew: 1,
        topologyKey: `k${position}`,
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: 'web' } },
      })),
    })),
  ),
  attack(kind, '20,000 tolerations and 100 taints', (cluster) => {
    ofAllPods(cluster, () => ({ tolerations: listOf(20_000, (position) => ({ key: `k${position}` })) }));
    for (const { spec } of cluster.nodes) {
      spec.taints = listOf(100, (position) => ({ key: `t${position}`, effect: 'NoSchedule' }));
    }
  }),
  attack(kind, '20,000 host ports', (cluster) =>
    ofAllContainers(cluster, () => ({
      ports: listOf(20_000, (position) => ({ containerPort: position + 1, hostPort: position + 1 })),
    })),
  ),
  attack(kind, '10,000 device claims', (cluster) => {
    ofAllPods(cluster, () => ({
      resourceClaims: listOf(10_000, (position) => ({
        name: `c${position}`,
        resourceClaimName: `claim-${position}`,
      })),
    }));
    cluster.others.ResourceClaim = listOf(10_000, (position) => ({
      metadata: { name: `claim-${position}`, namespace: 'shop' },
      spec: {
        devices: {
          requests: [
            { name: 'gpu', exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 2e9 } },
          ],
        },
      },
    }));
  }),
]);

export const attacks: readonly Attack[] = [
  ...deployments,
  ...statefulSets,
  ...daemonSets,
  ...shared,
  ...crowdedClusters,
];
