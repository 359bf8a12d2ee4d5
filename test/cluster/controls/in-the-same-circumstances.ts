import type {
  V1DaemonSetSpec,
  V1DeploymentSpec,
  V1PodSpec,
  V1StatefulSetSpec,
} from '@kubernetes/client-node';
import type { CauseId } from '#src/doctor/findings/cause-id.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import type { Cluster } from '../harness/cluster.js';
import type { NodeOptions } from '../harness/node-manifest.js';
import { createLease, diagnoseAfterSeconds } from '../incidents/held-lease.js';
import { podNames, rollOut } from '../incidents/rolling.js';
import { claimedDisk } from '../incidents/storage-manifests.js';
import { createQuota } from '../incidents/team-quota.js';
import { untilAttached } from '../incidents/volume-attach-deadlock.js';
import type { Control } from './control.js';
import { settled } from './settled.js';
import {
  beginRollout,
  change,
  isNewAndReady,
  ref,
  runDaemonSet,
  runStatefulSet,
  untilPods,
} from './workloads.js';

type Act = (cluster: Cluster, workload: WorkloadRef) => Promise<unknown>;

interface Story {
  readonly id: string;
  readonly title: string;
  readonly resembles: CauseId;
  readonly diagnoseAfterSeconds?: number;
  readonly kind: 'Deployment' | 'StatefulSet' | 'DaemonSet';
  readonly nodes?: readonly NodeOptions[];
  readonly spec?: Partial<
    Omit<V1DeploymentSpec & V1StatefulSetSpec & V1DaemonSetSpec, 'selector' | 'template'>
  >;
  readonly container?: object;
  readonly first?: (cluster: Cluster, namespace: string) => Promise<Partial<V1PodSpec> | undefined>;
  readonly act?: Act;
}

const two: readonly NodeOptions[] = [{ name: 'n-a' }, { name: 'n-b' }];
const one: readonly NodeOptions[] = [{ name: 'n-a' }];

async function run(
  cluster: Cluster,
  namespace: string,
  { kind, nodes = two, spec = {}, container = {} }: Story,
  pod: Partial<V1PodSpec>,
): Promise<WorkloadRef> {
  const options = { namespace, name: 'app', container, pod, spec };
  switch (kind) {
    case 'StatefulSet':
      return runStatefulSet(cluster, options as Parameters<typeof runStatefulSet>[1]);
    case 'DaemonSet':
      return runDaemonSet(cluster, nodes.length, options as Parameters<typeof runDaemonSet>[2]);
    case 'Deployment': {
      const { replicas = 1, strategy, ...rest } = spec;
      const { namespace: at, name } = options;
      await rollOut(cluster, {
        ...{ namespace: at, name, container, pod, replicas },
        ...(strategy === undefined ? {} : { strategy }),
        spec: rest as object,
      });
      return ref('Deployment', options);
    }
  }
}

const told = (story: Story): Control => {
  const { id, title, resembles, nodes = two, first, act, ...rest } = story;
  return {
    ...{ id, title, resembles },
    ...(rest.diagnoseAfterSeconds === undefined ? {} : { diagnoseAfterSeconds: rest.diagnoseAfterSeconds }),
    reproduce: async (cluster) => {
      const namespace = await cluster.createNamespace(id);
      await cluster.createNodes(...nodes);
      const pod = await first?.(cluster, namespace);
      const workload = await run(cluster, namespace, story, pod ?? {});
      await act?.(cluster, workload);
      await settled(cluster, namespace);
      return workload;
    },
  };
};

const quota =
  (hard: Readonly<Record<string, string>>): NonNullable<Story['first']> =>
  async (cluster, namespace) => {
    await createQuota(cluster, namespace, hard);
    return undefined;
  };

const disk =
  (accessMode: 'ReadWriteOnce' | 'ReadWriteMany'): NonNullable<Story['first']> =>
  async (cluster, namespace) =>
    (await claimedDisk(cluster, namespace, accessMode)) as Partial<V1PodSpec>;

const cpu = (amount: string) => ({ resources: { requests: { cpu: amount } } });
const hostPort = { ports: [{ containerPort: 8443, hostPort: 443 }] };
const probed = {
  readinessProbe: { exec: { command: ['is-leader'] }, periodSeconds: 10, failureThreshold: 3 },
};
const recreate = { strategy: { type: 'Recreate' } };
const oldFirst = { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } };

const starts =
  (count = 1): Act =>
  (cluster, workload) =>
    beginRollout(cluster, workload, count);

const completes =
  (count: number): Act =>
  async (cluster, workload) => {
    await change(cluster, workload);
    await untilPods(cluster, workload, 'new', count, isNewAndReady);
  };

/** The Lease is renewed by the pod at this place among those of the workload. */
const holdsLease =
  (at = 0): Act =>
  async (cluster, { namespace, name }) => {
    const names = [...(await podNames(cluster, namespace, name))].sort();
    await createLease(cluster, namespace, names[at] ?? '');
  };

const then =
  (...acts: readonly Act[]): Act =>
  async (...given) => {
    for (const act of acts) await act(...given);
  };

/** Workloads that go on, or rest, where a quota is full, a Lease, a volume or a host port is in use. */
export const inTheSameCircumstances: readonly Control[] = [
  told({
    id: 'quota-full-old-pod-first',
    title: 'the quota is full, the old pod went first, and its successor is starting',
    resembles: 'quota-deadlock',
    kind: 'Deployment',
    spec: { replicas: 2, ...oldFirst },
    container: cpu('500m'),
    first: quota({ 'requests.cpu': '1' }),
    act: starts(),
  }),
  told({
    id: 'quota-full-recreated',
    title: 'Recreate under a full quota of pods: both new pods are starting',
    resembles: 'quota-deadlock',
    kind: 'Deployment',
    spec: { replicas: 2, ...recreate },
    first: quota({ pods: '2' }),
    act: starts(2),
  }),
  told({
    id: 'quota-full-ordered-update',
    title: 'a StatefulSet under a full quota: the last pod is made anew and is starting',
    resembles: 'quota-deadlock',
    kind: 'StatefulSet',
    spec: { replicas: 3 },
    container: cpu('500m'),
    first: quota({ 'requests.cpu': '1500m' }),
    act: starts(),
  }),
  told({
    id: 'quota-full-ordered-update-complete',
    title: 'a StatefulSet that uses every pod of the quota was updated pod by pod',
    resembles: 'quota-deadlock',
    kind: 'StatefulSet',
    spec: { replicas: 2 },
    first: quota({ pods: '2' }),
    act: completes(2),
  }),
  told({
    id: 'quota-full-daemon-pods-one-by-one',
    title: 'a DaemonSet under a full quota: one daemon pod is made anew and is starting',
    resembles: 'quota-deadlock',
    kind: 'DaemonSet',
    container: cpu('250m'),
    first: quota({ 'requests.cpu': '500m' }),
    act: starts(),
  }),
  told({
    id: 'quota-with-room-for-daemon-surge',
    title: 'a DaemonSet surges by one pod, for which the quota has room, and it is starting',
    resembles: 'quota-deadlock',
    kind: 'DaemonSet',
    spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
    first: quota({ pods: '3' }),
    act: starts(),
  }),
  told({
    id: 'lock-of-a-resting-deployment',
    title: 'the only pod renews the Lease that its probe asks for, and no rollout is under way',
    resembles: 'readiness-deadlock',
    diagnoseAfterSeconds,
    kind: 'Deployment',
    container: probed,
    act: holdsLease(),
  }),
  told({
    id: 'lock-held-by-the-new-pod',
    title: 'the old pod went first, and the new one has taken the Lease over',
    resembles: 'readiness-deadlock',
    diagnoseAfterSeconds,
    kind: 'Deployment',
    spec: oldFirst,
    container: probed,
    act: then(completes(1), async (cluster, workload) => {
      await untilPods(cluster, workload, 'left', 1, () => true);
      await holdsLease()(cluster, workload);
    }),
  }),
  told({
    id: 'lock-of-the-first-ordinal',
    title: 'a StatefulSet was updated, its first pod renews the Lease, and the others are ready without it',
    resembles: 'readiness-deadlock',
    diagnoseAfterSeconds,
    kind: 'StatefulSet',
    spec: { replicas: 3 },
    container: probed,
    act: then(completes(3), holdsLease()),
  }),
  told({
    id: 'lock-of-one-daemon-pod',
    title: 'one of two daemon pods renews the Lease, and both are updated and ready',
    resembles: 'readiness-deadlock',
    diagnoseAfterSeconds,
    kind: 'DaemonSet',
    container: probed,
    act: then(completes(2), holdsLease(1)),
  }),
  told({
    id: 'volume-recreated-and-starting',
    title: 'Recreate with a disk for one node: the old pod is gone, and the new one is starting',
    resembles: 'volume-attach-deadlock',
    kind: 'Deployment',
    nodes: one,
    spec: recreate,
    first: disk('ReadWriteOnce'),
    act: then((cluster, { namespace }) => untilAttached(cluster, `pv-${namespace}`), starts()),
  }),
  told({
    id: 'volume-shared-by-nodes-and-starting',
    title: 'a disk that several nodes may use: the surge pod is starting on the other node',
    resembles: 'volume-attach-deadlock',
    kind: 'Deployment',
    nodes: two.map((each) => ({ ...each, allocatable: { cpu: '1' } })),
    container: cpu('700m'),
    first: disk('ReadWriteMany'),
    act: starts(),
  }),
  told({
    id: 'volume-of-an-ordered-set',
    title: 'a StatefulSet of one pod uses a disk for one node, and its successor is starting there',
    resembles: 'volume-attach-deadlock',
    kind: 'StatefulSet',
    nodes: one,
    spec: { replicas: 1 },
    first: disk('ReadWriteOnce'),
    act: starts(),
  }),
  told({
    id: 'host-port-old-pod-first',
    title: 'the old pod gave the host port of the only node to its successor, which is starting',
    resembles: 'surge-deadlock',
    kind: 'Deployment',
    nodes: one,
    spec: oldFirst,
    container: hostPort,
    act: starts(),
  }),
  told({
    id: 'host-port-of-an-ordered-set',
    title: 'each pod of a StatefulSet binds the host port of its node, and one is made anew and starting',
    resembles: 'surge-deadlock',
    kind: 'StatefulSet',
    spec: { replicas: 2 },
    container: hostPort,
    act: starts(),
  }),
  told({
    id: 'host-port-of-daemon-pods',
    title: 'daemon pods bind a host port and were updated one by one, without a surge',
    resembles: 'surge-deadlock',
    kind: 'DaemonSet',
    container: hostPort,
    act: completes(2),
  }),
];
