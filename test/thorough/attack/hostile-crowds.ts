import type { WorkloadKind } from '#src/engine/objects/workload.js';
import type { Attack, RawCluster } from '../../support/hostile-snapshots.js';

const many = 100_000;

function copies<Item extends { metadata: Record<string, unknown> }>(
  item: Item | undefined,
  count: number,
  name: string,
  change: (copy: Item, position: number) => Item = (copy) => copy,
): Item[] {
  if (item === undefined) return [];
  return Array.from({ length: count }, (_, position) => {
    const metadata = { ...item.metadata, name: `${name}-${position}`, uid: `${name}-${position}-uid` };
    return change({ ...item, metadata }, position);
  });
}

function addControllerRevisions(cluster: RawCluster): void {
  cluster.owned.push(
    ...copies(cluster.owned[0], many, 'web-old', (copy, position) => ({ ...copy, revision: -position })),
  );
}

function addEvents(cluster: RawCluster): void {
  cluster.others.Event = Array.from({ length: many }, (_, position) => ({
    metadata: { name: `e${position}`, namespace: 'shop' },
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-2', uid: 'web-2-uid' },
    reason: position % 2 === 0 ? 'FailedScheduling' : 'FailedCreate',
    message: 'exceeded quota: team, requested: pods=1, used: pods=2, limited: pods=2',
    type: 'Warning',
    count: 2_000_000_000,
    lastTimestamp: '2026-11-20T09:29:00Z',
  }));
}

function addWaitingPods(cluster: RawCluster, replicas: number): void {
  const [old, , waiting] = cluster.pods;
  cluster.pods.push(...copies(old, 1_000, 'old'), ...copies(waiting, 1_000, 'new'));
  if ('replicas' in cluster.workload.spec) cluster.workload.spec.replicas = replicas;
  for (const { spec } of cluster.owned) spec.replicas = replicas;
}

/** Clusters that hold far more objects of one kind than a real one. */
export const crowdedClusters: readonly Attack[] = [
  {
    kind: 'Deployment',
    name: 'Deployment: 20,000 ReplicaSets',
    change: (cluster) =>
      cluster.owned.push(
        ...copies(cluster.owned[0], 20_000, 'web-old', (copy) => ({
          ...copy,
          spec: { ...copy.spec, replicas: 0 },
          status: {},
        })),
      ),
  },
  ...(['StatefulSet', 'DaemonSet'] as const).map((kind: WorkloadKind) => ({
    kind,
    name: `${kind}: 100,000 ControllerRevisions`,
    change: addControllerRevisions,
  })),
  ...(['Deployment', 'StatefulSet', 'DaemonSet'] as const).flatMap((kind: WorkloadKind) => [
    {
      kind,
      name: `${kind}: 1,000 old pods on one node and 1,000 that wait`,
      change: (cluster: RawCluster) => addWaitingPods(cluster, 2_502),
    },
    { kind, name: `${kind}: 100,000 events`, change: addEvents },
  ]),
  {
    kind: 'DaemonSet',
    name: 'DaemonSet: 10,000 pods on one node',
    change: (cluster) => cluster.pods.push(...copies(cluster.pods[0], 10_000, 'old')),
  },
];
