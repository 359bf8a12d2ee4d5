import type { V1StatefulSetSpec } from '@kubernetes/client-node';
import type { CauseId } from '#src/doctor/findings/cause-id.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import type { Cluster } from '../harness/cluster.js';
import { volumeManifest } from '../incidents/storage-manifests.js';
import type { Control } from './control.js';
import { becomeReady } from './kubelet-acts.js';
import { settled } from './settled.js';
import {
  beginRollout,
  change,
  isNewAndReady,
  isReady,
  isStarting,
  isStopping,
  runStatefulSet,
  slowly,
  untilPods,
} from './workloads.js';

interface Story {
  readonly id: string;
  readonly title: string;
  readonly resembles: CauseId;
  readonly replicas?: number;
  readonly spec?: Partial<Omit<V1StatefulSetSpec, 'selector' | 'template'>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly graceSeconds?: number;
  readonly first?: (cluster: Cluster) => Promise<void>;
  readonly act: (cluster: Cluster, workload: WorkloadRef) => Promise<void>;
}

function statefulSet(story: Story): Control {
  const { id, title, resembles, replicas = 3, spec, annotations = {}, graceSeconds, first, act } = story;
  return {
    id,
    title,
    resembles,
    reproduce: async (cluster) => {
      const namespace = await cluster.createNamespace(id);
      await cluster.createNodes({ name: 'n-a' }, { name: 'n-b' });
      await first?.(cluster);
      const workload = await runStatefulSet(cluster, {
        namespace,
        name: 'db',
        annotations,
        ...(graceSeconds === undefined ? {} : { pod: { terminationGracePeriodSeconds: graceSeconds } }),
        spec: { replicas, ...spec },
      });
      await act(cluster, workload);
      await settled(cluster, namespace);
      return workload;
    },
  };
}

const startsOne = async (cluster: Cluster, workload: WorkloadRef): Promise<void> => {
  await beginRollout(cluster, workload);
};

const updated = (pods: number) => async (cluster: Cluster, workload: WorkloadRef) => {
  await change(cluster, workload);
  await untilPods(cluster, workload, 'new', pods, isNewAndReady);
};

const partition = (from: number): NonNullable<Story['spec']> => ({
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: from } },
});

const scaled = (cluster: Cluster, { namespace, name }: WorkloadRef, replicas: number): Promise<void> =>
  cluster.patch({ kind: 'StatefulSet', namespace, name }, { spec: { replicas } });

export const statefulSets: readonly Control[] = [
  statefulSet({
    id: 'ordered-update-begins',
    title: 'an ordered update has replaced its last pod, which is starting',
    resembles: 'ordered-ready-stuck',
    act: startsOne,
  }),
  statefulSet({
    id: 'ordered-update-half-way',
    title: 'an ordered update: db-2 is new and Ready, db-1 is starting, db-0 is still old',
    resembles: 'ordered-ready-stuck',
    act: async (cluster, workload) => {
      await becomeReady(cluster, ...(await beginRollout(cluster, workload)));
      await untilPods(
        cluster,
        workload,
        'db-1 starting',
        1,
        (pod) => isStarting(pod) && pod.metadata?.name === 'db-1',
      );
    },
  }),
  statefulSet({
    id: 'ordered-update-complete',
    title: 'an ordered update that has gone through',
    resembles: 'ordered-ready-stuck',
    act: updated(3),
  }),
  statefulSet({
    id: 'parallel-set-updating',
    title: 'podManagementPolicy Parallel: the update goes pod by pod all the same, and one is starting',
    resembles: 'ordered-ready-stuck',
    spec: { podManagementPolicy: 'Parallel' },
    act: startsOne,
  }),
  statefulSet({
    id: 'partition-leaves-half-old',
    title: 'a partition of 2 keeps two of four pods at the old revision, on purpose',
    resembles: 'rollout-paused',
    replicas: 4,
    spec: partition(2),
    act: updated(2),
  }),
  statefulSet({
    id: 'partition-holds-all-back',
    title: 'a partition as large as the set: a new template, and no pod of it',
    resembles: 'rollout-paused',
    spec: partition(3),
    act: (cluster, workload) => change(cluster, workload),
  }),
  statefulSet({
    id: 'stateful-set-on-delete',
    title: 'OnDelete: all pods are of the old revision until somebody deletes them',
    resembles: 'rollout-paused',
    spec: { updateStrategy: { type: 'OnDelete' } },
    act: (cluster, workload) => change(cluster, workload),
  }),
  statefulSet({
    id: 'growing-in-order',
    title: 'scaled from 1 to 3: db-1 is starting, and db-2 waits for its turn',
    resembles: 'scale-up-pending',
    replicas: 1,
    act: async (cluster, workload) => {
      const { namespace, name } = workload;
      await cluster.patch(
        { kind: 'StatefulSet', namespace, name },
        {
          spec: {
            updateStrategy: { rollingUpdate: { partition: 1 } },
            template: {
              metadata: { annotations: slowly.creating },
              spec: { containers: [{ name: 'app', image: 'registry.example/app:2' }] },
            },
          },
        },
      );
      await scaled(cluster, workload, 3);
      await untilPods(cluster, workload, 'starting', 1, isStarting);
    },
  }),
  statefulSet({
    id: 'shrunk-in-order',
    title: 'scaled from 3 to 1, the last pods gone',
    resembles: 'scale-up-pending',
    act: async (cluster, workload) => {
      await scaled(cluster, workload, 1);
      await untilPods(cluster, workload, 'left', 1, () => true);
    },
  }),
  statefulSet({
    id: 'database-stops-within-its-grace',
    title: 'db-2 has five minutes to stop, and the update waits for it',
    resembles: 'stuck-terminating',
    annotations: slowly.stopping,
    graceSeconds: 300,
    act: async (cluster, workload) => {
      await change(cluster, workload);
      await untilPods(cluster, workload, 'stopping', 1, isStopping);
    },
  }),
  statefulSet({
    id: 'stateful-min-ready-seconds',
    title: 'minReadySeconds was raised to five minutes: the update waits until the young pods count again',
    resembles: 'ordered-ready-stuck',
    act: async (cluster, workload) => {
      const { namespace, name } = workload;
      await cluster.patch({ kind: 'StatefulSet', namespace, name }, { spec: { minReadySeconds: 300 } });
      await change(cluster, workload);
      await untilPods(cluster, workload, 'Ready', 3, isReady);
    },
  }),
  statefulSet({
    id: 'claims-of-its-own',
    title: 'each pod has a disk of its own, and got it back with its successor',
    resembles: 'volume-attach-deadlock',
    replicas: 2,
    spec: {
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: {
            accessModes: ['ReadWriteOnce'],
            storageClassName: 'disk',
            resources: { requests: { storage: '10Gi' } },
          },
        },
      ],
    },
    first: async (cluster) => {
      for (const name of ['pv-db-0', 'pv-db-1']) {
        await cluster.create(volumeManifest({ name, accessMode: 'ReadWriteOnce', storageClassName: 'disk' }));
      }
    },
    act: updated(2),
  }),
];
