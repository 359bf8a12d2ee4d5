import type { V2HorizontalPodAutoscaler } from '@kubernetes/client-node';
import type { CauseId } from '#src/doctor/findings/cause-id.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import type { Cluster } from '../harness/cluster.js';
import type { DeploymentOptions } from '../incidents/deployment-manifest.js';
import { rollOut, untilRolledOut } from '../incidents/rolling.js';
import type { Control } from './control.js';
import { becomeReady } from './kubelet-acts.js';
import { control, web } from './neighbourhood.js';
import { beginRollout, change, isReady, isStarting, slowly, untilPods } from './workloads.js';

interface Resting {
  readonly id: string;
  readonly title: string;
  readonly resembles: CauseId;
  readonly informational?: readonly CauseId[];
  readonly options?: Partial<DeploymentOptions>;
  readonly act: (cluster: Cluster, workload: WorkloadRef) => Promise<void>;
}

/** A Deployment on two nodes, after a common operation. */
function resting({ options, act, ...one }: Resting): Control {
  return control(one, [{ name: 'n-a' }, { name: 'n-b' }], async (cluster, namespace) => {
    await rollOut(cluster, { namespace, name: 'web', ...options });
    await act(cluster, web(namespace));
  });
}

const patch = (cluster: Cluster, { namespace, name }: WorkloadRef, spec: object): Promise<void> =>
  cluster.patch({ kind: 'Deployment', namespace, name }, { spec });

const done = (cluster: Cluster, { namespace, name }: WorkloadRef) => untilRolledOut(cluster, namespace, name);

const autoscaler = ({ namespace, name }: WorkloadRef): V2HorizontalPodAutoscaler => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { namespace, name },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    minReplicas: 2,
    maxReplicas: 6,
    metrics: [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
      },
    ],
  },
});

/** Another change, to the image of this tag, came while the first was rolling out. */
function halfWay(id: string, title: string, resembles: CauseId, tag: string): Control {
  return resting({
    id,
    title,
    resembles,
    options: { replicas: 3 },
    act: async (cluster, workload) => {
      await beginRollout(cluster, workload);
      await change(cluster, workload, { 'rollout-doctor.test/start': null }, tag);
      await done(cluster, workload);
    },
  });
}

export const restingDeployments: readonly Control[] = [
  resting({
    id: 'many-revisions-at-zero',
    title: 'six revisions, of which five ReplicaSets are kept at 0',
    resembles: 'surge-deadlock',
    act: async (cluster, workload) => {
      for (const tag of ['2', '3', '4', '5', '6']) {
        await change(cluster, workload, {}, tag);
        await done(cluster, workload);
      }
    },
  }),
  halfWay(
    'undone-half-way',
    'a rollout was undone while its new pod was starting; the old revision runs under a new number',
    'crash-loop-after-rollout',
    '1',
  ),
  halfWay(
    'changed-again-half-way',
    'a second change came while the first was rolling out; only the third revision runs',
    'progress-deadline-exceeded',
    '3',
  ),
  resting({
    id: 'paused-and-scaled',
    title: 'paused after its rollout, with nothing pending, and scaled since',
    resembles: 'rollout-paused',
    options: { replicas: 2 },
    act: async (cluster, workload) => {
      await patch(cluster, workload, { paused: true });
      await patch(cluster, workload, { replicas: 4 });
      await done(cluster, workload);
    },
  }),
  resting({
    id: 'scaled-to-zero',
    title: 'scaled to 0 on purpose: no pod, and none wanted',
    resembles: 'scale-up-pending',
    options: { replicas: 2 },
    act: async (cluster, workload) => {
      await patch(cluster, workload, { replicas: 0 });
      await done(cluster, workload);
    },
  }),
  resting({
    id: 'changed-at-zero',
    title: 'a new template at 0 replicas: two revisions and not one pod',
    resembles: 'rollout-paused',
    options: { replicas: 0 },
    act: async (cluster, workload) => {
      await change(cluster, workload);
      await done(cluster, workload);
    },
  }),
  resting({
    id: 'back-from-zero',
    title: 'scaled to 0 and back to 3',
    resembles: 'scale-up-pending',
    options: { replicas: 3 },
    act: async (cluster, workload) => {
      await patch(cluster, workload, { replicas: 0 });
      await untilPods(cluster, workload, 'gone', 0, () => true);
      await patch(cluster, workload, { replicas: 3 });
      await done(cluster, workload);
    },
  }),
  resting({
    id: 'autoscaled-and-placed',
    title: 'an autoscaler went from 2 to 5 replicas, and all are placed',
    resembles: 'scale-up-pending',
    options: { replicas: 2 },
    act: async (cluster, workload) => {
      await cluster.create(autoscaler(workload));
      await patch(cluster, workload, { replicas: 5 });
      await done(cluster, workload);
    },
  }),
  resting({
    id: 'autoscaling-now',
    title: 'an autoscaler goes from 2 to 5 replicas this minute; three pods are starting',
    resembles: 'scale-up-pending',
    options: { replicas: 0, annotations: slowly.creating, container: { image: 'registry.example/app:2' } },
    act: async (cluster, workload) => {
      await patch(cluster, workload, { replicas: 2 });
      await becomeReady(cluster, ...(await untilPods(cluster, workload, 'starting', 2, isStarting)));
      await done(cluster, workload);
      await cluster.create(autoscaler(workload));
      await patch(cluster, workload, { replicas: 5 });
      await untilPods(cluster, workload, 'starting', 3, isStarting);
    },
  }),
  resting({
    id: 'scaled-while-rolling',
    title: 'scaled from 4 to 8 in the middle of a rollout: both revisions grew in proportion',
    resembles: 'surge-deadlock',
    options: { replicas: 4 },
    act: async (cluster, workload) => {
      await beginRollout(cluster, workload, 2);
      await patch(cluster, workload, { replicas: 8 });
      await untilPods(cluster, workload, 'there', 10, () => true);
    },
  }),
  resting({
    id: 'min-ready-seconds-running',
    title: 'the new pod is Ready and has five minutes of minReadySeconds before it counts',
    resembles: 'surge-deadlock',
    options: {},
    act: async (cluster, workload) => {
      await patch(cluster, workload, { minReadySeconds: 300 });
      await change(cluster, workload);
      await untilPods(cluster, workload, 'Ready', 2, isReady);
    },
  }),
  resting({
    id: 'pod-deleted-and-back',
    title: 'somebody deleted a pod; its successor runs',
    resembles: 'preempted',
    options: { replicas: 2 },
    act: async (cluster, workload) => {
      const [pod] = await untilPods(cluster, workload, 'Ready', 2, isReady);
      await cluster.remove({ kind: 'Pod', namespace: workload.namespace, name: pod?.metadata?.name ?? '' });
      await untilPods(
        cluster,
        workload,
        'Ready',
        2,
        (one) => isReady(one) && one.metadata?.uid !== pod?.metadata?.uid,
      );
    },
  }),
];
