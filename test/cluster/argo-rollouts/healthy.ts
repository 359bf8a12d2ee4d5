import type { CauseId } from '#src/doctor/findings/cause-id.js';
import { becomeReady } from '../controls/kubelet-acts.js';
import type { Cluster } from '../harness/cluster.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import type { NodeOptions } from '../harness/node-manifest.js';
import { createLease, diagnoseAfterSeconds, untilNewPod, waitForLease } from '../incidents/held-lease.js';
import { untilEvent, untilNotCreated, untilUnschedulable } from '../incidents/rolling.js';
import { claimedDisk } from '../incidents/storage-manifests.js';
import { createQuota, setQuota } from '../incidents/team-quota.js';
import { untilAttached } from '../incidents/volume-attach-deadlock.js';
import { calm } from '../recorded-state.js';
import {
  halfWay,
  hostPort,
  type Options,
  probed,
  quotaMessage,
  rolledOut,
  type Strategy,
  twoNodes,
} from './other-deadlocks.js';
import { type RecordedRollout, rolloutName } from './recorded-rollout.js';
import {
  isPromoted,
  patchRollout,
  untilPaused,
  untilReadyPods,
  untilRollout,
  updateArgo,
} from './rolling.js';

const name = rolloutName;
const starting = { annotations: { [kubeletAnnotation.start]: 'container-creating' } };
const notReady = { annotations: { [kubeletAnnotation.start]: 'not-ready' } };

type OptionsOf = (cluster: Cluster, namespace: string) => Promise<Options>;
type Act = (cluster: Cluster, namespace: string, holders: readonly string[]) => Promise<unknown>;

interface Circumstances {
  readonly kind?: Strategy;
  readonly nodes?: readonly NodeOptions[];
  readonly options: OptionsOf;
  readonly diagnoseAfterSeconds?: number;
  /** Causes that are noted and are no problem. */
  readonly informational?: readonly CauseId[];
}

const healthy = (
  id: string,
  title: string,
  { kind = 'canary', nodes = [{ name: 'node-a' }], options, informational, ...later }: Circumstances,
  act: Act = async () => {},
): RecordedRollout => ({
  id,
  title,
  expected: informational === undefined ? calm : { ...calm, informational },
  ...later,
  reproduce: async (cluster, namespace) => {
    const holders = await rolledOut(cluster, namespace, kind, nodes, () => options(cluster, namespace));
    await act(cluster, namespace, holders);
  },
});

/** A quota for pods of 600m. */
const quotaFor =
  (cpu: string, options: Options = {}): OptionsOf =>
  async (cluster, namespace) => {
    await createQuota(cluster, namespace, { 'requests.cpu': cpu });
    return { requests: { cpu: '600m' }, ...options };
  };

const disk =
  (accessMode: 'ReadWriteOnce' | 'ReadWriteOncePod'): OptionsOf =>
  async (cluster, namespace) => ({
    requests: { cpu: '700m' },
    pod: await claimedDisk(cluster, namespace, accessMode),
  });

const startsNew: Act = async (cluster, namespace, holders) => {
  await updateArgo(cluster, namespace, name, undefined, starting);
  await untilNewPod(cluster, namespace, name, holders, 'Pending');
};

const untilPausedWith = (cluster: Cluster, namespace: string, pods: number) =>
  untilPaused(cluster, namespace).then(() => untilReadyPods(cluster, namespace, name, pods));

const untilPromoted = (cluster: Cluster, namespace: string, pods: number) =>
  untilRollout(cluster, namespace, name, 'promoted', isPromoted).then(() =>
    untilReadyPods(cluster, namespace, name, pods),
  );

/** The old pod may go first from now on. */
const stopOldFirst = (cluster: Cluster, namespace: string) =>
  patchRollout(cluster, namespace, name, {
    spec: { strategy: { canary: { maxSurge: 0, maxUnavailable: 1 } } },
  });

const refused: Act = async (cluster, namespace) => {
  await updateArgo(cluster, namespace, name);
  await untilNotCreated(cluster, namespace, name, quotaMessage);
};

const underQuota: readonly RecordedRollout[] = [
  healthy('quota-full-before-the-update', 'one pod serves, and the quota has no room for a second', {
    options: quotaFor('1'),
  }),
  healthy(
    'quota-full-before-the-blue-green-update',
    'the active pod serves, and the quota has no room for a preview pod',
    { kind: 'blue-green', options: quotaFor('1') },
  ),
  healthy(
    'quota-with-room-for-the-canary',
    'stable pod and canary use the whole quota, and the canary is starting',
    { options: quotaFor('1200m') },
    startsNew,
  ),
  healthy(
    'quota-with-room-at-half-weight',
    'a canary at weight 50 of four replicas has its fifth pod, which fills the quota and is starting',
    { options: quotaFor('3', { replicas: 4, strategy: { canary: halfWay } }) },
    startsNew,
  ),
  healthy(
    'quota-full-at-the-pause-step',
    'the canary behind an Ingress is ready, fills the quota, and waits for a person',
    { kind: 'routed', options: quotaFor('1200m') },
    async (cluster, namespace) => {
      await updateArgo(cluster, namespace, name);
      await untilPausedWith(cluster, namespace, 2);
    },
  ),
  healthy(
    'quota-with-room-for-the-preview',
    'active and preview pod use the whole quota, and the preview pod is starting',
    { kind: 'blue-green', options: quotaFor('1200m') },
    startsNew,
  ),
  healthy(
    'quota-full-after-the-fix',
    'the quota refused the canary until the stable pod might go first, and has no room for a second pod',
    { options: quotaFor('1') },
    async (...at) => {
      await refused(...at);
      const [cluster, namespace] = at;
      await stopOldFirst(cluster, namespace);
      await untilPromoted(cluster, namespace, 1);
    },
  ),
  healthy(
    'quota-raised-and-promoted',
    'the quota refused the preview pod and was raised; the former active pod goes in half a minute',
    { kind: 'blue-green', options: quotaFor('1') },
    async (...at) => {
      await refused(...at);
      const [cluster, namespace] = at;
      await setQuota(cluster, namespace, { 'requests.cpu': '1200m' });
      await untilPromoted(cluster, namespace, 2);
    },
  ),
  healthy(
    'quota-full-after-the-abort',
    'the update that the quota refused was aborted, and the stable pod serves behind the Ingress',
    { kind: 'routed', options: quotaFor('1'), informational: ['rollout-aborted'] },
    async (...at) => {
      await refused(...at);
      const [cluster, namespace] = at;
      await patchRollout(cluster, namespace, name, { status: { abort: true } }, '/status');
      await untilRollout(cluster, namespace, name, 'aborted', ({ status }) => status?.abort === true);
      await untilReadyPods(cluster, namespace, name, 1);
    },
  ),
];

const withLock: readonly RecordedRollout[] = [
  healthy(
    'lock-before-the-update',
    'the only pod renews the Lease, and no update is under way',
    { options: async () => ({ container: probed }), diagnoseAfterSeconds },
    (cluster, namespace, holders) => createLease(cluster, namespace, holders[0] ?? ''),
  ),
  healthy(
    'lock-of-the-stable-pod-at-the-pause-step',
    'the stable pod renews the Lease, and the canary is ready without it and waits for a person',
    { kind: 'routed', options: async () => ({ container: probed }), diagnoseAfterSeconds },
    async (cluster, namespace, holders) => {
      await updateArgo(cluster, namespace, name);
      await untilPausedWith(cluster, namespace, 2);
      await createLease(cluster, namespace, holders[0] ?? '');
    },
  ),
  healthy(
    'lock-taken-over-after-the-fix',
    'the canary waited for the Lease, the stable pod has stopped, and the new pod renews it',
    { options: async () => ({ container: probed }), diagnoseAfterSeconds },
    async (cluster, namespace, holders) => {
      await updateArgo(cluster, namespace, name, undefined, notReady);
      await waitForLease(cluster, namespace, name, holders);
      const pod = await untilNewPod(cluster, namespace, name, holders, 'Running');
      await stopOldFirst(cluster, namespace);
      await createLease(cluster, namespace, pod.metadata?.name ?? '');
      await becomeReady(cluster, pod);
      await untilPromoted(cluster, namespace, 1);
    },
  ),
];

const withDisk: readonly RecordedRollout[] = [
  healthy(
    'volume-attached-before-the-update',
    'the disk is attached to the node of the only pod',
    { nodes: twoNodes, options: disk('ReadWriteOnce') },
    (cluster, namespace) => untilAttached(cluster, `pv-${namespace}`),
  ),
  healthy(
    'volume-shared-on-one-node',
    'stable pod and canary use the disk on the only node, and the canary is starting',
    { options: disk('ReadWriteOnce') },
    startsNew,
  ),
  healthy(
    'volume-moved-after-the-fix',
    'the stable pod has stopped, and the disk is attached to the node of the new pod',
    { nodes: twoNodes, options: disk('ReadWriteOnce'), diagnoseAfterSeconds },
    async (cluster, namespace, holders) => {
      await untilAttached(cluster, `pv-${namespace}`);
      await startsNew(cluster, namespace, holders);
      await untilEvent(cluster, namespace, 'FailedAttachVolume', 'Multi-Attach error');
      const pod = await untilNewPod(cluster, namespace, name, holders, 'Pending');
      await stopOldFirst(cluster, namespace);
      await untilGone(cluster, namespace, holders);
      await untilAttached(cluster, `pv-${namespace}`, pod.spec?.nodeName);
      await becomeReady(cluster, pod);
      await untilPromoted(cluster, namespace, 1);
    },
  ),
  healthy('one-pod-volume-before-the-update', 'the active pod alone may use the volume, and does', {
    kind: 'blue-green',
    options: disk('ReadWriteOncePod'),
  }),
];

const withPort: readonly RecordedRollout[] = [
  healthy('host-port-before-the-update', 'the pod binds the host port of the only node', {
    options: async () => ({ container: hostPort }),
  }),
  healthy(
    'host-port-on-a-second-node',
    'the canary binds the host port on the other node and is starting',
    { nodes: [{ name: 'node-a' }, { name: 'node-b' }], options: async () => ({ container: hostPort }) },
    startsNew,
  ),
  healthy(
    'host-port-taken-over-after-the-fix',
    'the canary waited for the host port, the stable pod has stopped, and the new pod binds it',
    { options: async () => ({ container: hostPort }) },
    async (cluster, namespace, holders) => {
      await updateArgo(cluster, namespace, name);
      await untilUnschedulable(cluster, namespace, name, holders, ["didn't have free ports"]);
      await stopOldFirst(cluster, namespace);
      await untilPromoted(cluster, namespace, 1);
    },
  ),
];

const untilGone = (cluster: Cluster, namespace: string, names: readonly string[]) =>
  cluster.until({
    what: `${names.join(', ')} to be gone`,
    selection: { kind: 'Pod', namespace },
    deadlineMilliseconds: 60_000,
    check: (pods) => pods.every(({ metadata }) => !names.includes(metadata?.name ?? '')),
  });

/**
 * Rollouts that fit, in the circumstances in which others deadlock: before the update, in its middle, and
 * after the fix.
 */
export const healthyRollouts: readonly RecordedRollout[] = [
  ...underQuota,
  ...withLock,
  ...withDisk,
  ...withPort,
];
