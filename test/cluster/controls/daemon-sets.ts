import type { V1DaemonSetSpec, V1PodSpec } from '@kubernetes/client-node';
import type { CauseId } from '#src/doctor/findings/cause-id.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import type { Cluster } from '../harness/cluster.js';
import type { NodeOptions } from '../harness/node-manifest.js';
import type { Control } from './control.js';
import { settled } from './settled.js';
import {
  beginRollout,
  change,
  isNewAndReady,
  isStarting,
  isStopping,
  runDaemonSet,
  slowly,
  untilPods,
} from './workloads.js';

interface Story {
  readonly id: string;
  readonly title: string;
  readonly resembles: CauseId;
  readonly nodes?: readonly NodeOptions[];
  /** Nodes on which it runs. */
  readonly on?: number;
  readonly spec?: Partial<Omit<V1DaemonSetSpec, 'selector' | 'template'>>;
  readonly pod?: Partial<V1PodSpec>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly act?: (cluster: Cluster, workload: WorkloadRef) => Promise<void>;
}

const three: readonly NodeOptions[] = ['n-a', 'n-b', 'n-c'].map((name) => ({ name }));

function daemonSet(story: Story): Control {
  const { id, title, resembles, nodes = three, on = nodes.length, spec, pod, annotations, act } = story;
  return {
    id,
    title,
    resembles,
    reproduce: async (cluster) => {
      const namespace = await cluster.createNamespace(id);
      await cluster.createNodes(...nodes);
      const workload = await runDaemonSet(cluster, on, {
        namespace,
        name: 'agent',
        ...(spec === undefined ? {} : { spec }),
        ...(pod === undefined ? {} : { pod }),
        ...(annotations === undefined ? {} : { annotations }),
      });
      await act?.(cluster, workload);
      await settled(cluster, namespace);
      return workload;
    },
  };
}

const starts = (count: number) => async (cluster: Cluster, workload: WorkloadRef) => {
  await beginRollout(cluster, workload, count);
};

async function updatesThree(cluster: Cluster, workload: WorkloadRef): Promise<void> {
  await change(cluster, workload);
  await untilPods(cluster, workload, 'new', 3, isNewAndReady);
}

const rolling = (rollingUpdate: {
  readonly maxSurge?: number | string;
  readonly maxUnavailable: number | string;
}): NonNullable<Story['spec']> => ({ updateStrategy: { type: 'RollingUpdate', rollingUpdate } });

export const daemonSets: readonly Control[] = [
  daemonSet({
    id: 'daemon-pods-one-by-one',
    title: 'an update of three daemon pods: the first is starting, two are still old',
    resembles: 'insufficient-capacity',
    act: starts(1),
  }),
  daemonSet({
    id: 'daemon-pods-half-at-once',
    title: 'maxUnavailable 50% of four nodes: two daemon pods are away and starting',
    resembles: 'node-not-ready',
    nodes: [...three, { name: 'n-d' }],
    spec: rolling({ maxUnavailable: '50%' }),
    act: starts(2),
  }),
  daemonSet({
    id: 'daemon-pod-surges-and-fits',
    title: 'a DaemonSet that surges without a host port: its new pod starts beside the old one',
    resembles: 'surge-deadlock',
    spec: rolling({ maxSurge: 1, maxUnavailable: 0 }),
    act: starts(1),
  }),
  daemonSet({
    id: 'daemon-update-complete',
    title: 'an update of three daemon pods that has gone through',
    resembles: 'insufficient-capacity',
    act: updatesThree,
  }),
  daemonSet({
    id: 'daemon-set-on-delete',
    title: 'OnDelete: every daemon pod is of the old revision until somebody deletes it',
    resembles: 'rollout-paused',
    spec: { updateStrategy: { type: 'OnDelete' } },
    act: (cluster, workload) => change(cluster, workload),
  }),
  daemonSet({
    id: 'daemon-pod-on-a-cordoned-node',
    title: 'a node is cordoned; its daemon pod stays and was even updated, as daemons tolerate that',
    resembles: 'node-cordoned',
    act: async (cluster, workload) => {
      await cluster.patch({ kind: 'Node', name: 'n-b' }, { spec: { unschedulable: true } });
      await updatesThree(cluster, workload);
    },
  }),
  daemonSet({
    id: 'daemon-set-skips-a-tainted-node',
    title: 'one of three nodes is tainted, so two daemon pods are all that is wanted',
    resembles: 'unsatisfiable-placement',
    nodes: [
      { name: 'n-a' },
      { name: 'n-b' },
      { name: 'n-c', taints: [{ key: 'dedicated', value: 'batch', effect: 'NoSchedule' }] },
    ],
    on: 2,
  }),
  daemonSet({
    id: 'daemon-set-of-one-pool',
    title: 'a nodeSelector matches one node of three',
    resembles: 'unsatisfiable-placement',
    nodes: [{ name: 'n-a', labels: { pool: 'edge' } }, { name: 'n-b' }, { name: 'n-c' }],
    on: 1,
    pod: { nodeSelector: { pool: 'edge' } },
  }),
  daemonSet({
    id: 'daemon-set-of-no-node',
    title: 'a nodeSelector matches no node yet: nothing is wanted, and nothing runs',
    resembles: 'unsatisfiable-placement',
    on: 0,
    pod: { nodeSelector: { pool: 'gpu' } },
    act: (cluster, workload) => untilPods(cluster, workload, 'gone', 0, () => true).then(() => undefined),
  }),
  daemonSet({
    id: 'node-has-just-joined',
    title: 'a node joined seconds ago, and its daemon pod is starting',
    resembles: 'progress-deadline-exceeded',
    spec: { updateStrategy: { type: 'OnDelete' } },
    act: async (cluster, workload) => {
      await change(cluster, workload, slowly.creating);
      await cluster.createNodes({ name: 'n-d' });
      await untilPods(cluster, workload, 'starting', 1, isStarting);
    },
  }),
  daemonSet({
    id: 'daemon-pod-takes-its-leave',
    title: 'an updating daemon pod has two minutes to stop, and uses them',
    resembles: 'stuck-terminating',
    annotations: slowly.stopping,
    pod: { terminationGracePeriodSeconds: 120 },
    act: async (cluster, workload) => {
      await change(cluster, workload);
      await untilPods(cluster, workload, 'stopping', 1, isStopping);
    },
  }),
];
