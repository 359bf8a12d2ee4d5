import type { V1Pod } from '@kubernetes/client-node';
import { becomeReady } from '../controls/kubelet-acts.js';
import type { Cluster } from '../harness/cluster.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import type { NodeOptions } from '../harness/node-manifest.js';
import { createLease, diagnoseAfterSeconds, untilNewPod, waitForLease } from '../incidents/held-lease.js';
import { untilEvent, untilUnschedulable } from '../incidents/rolling.js';
import { claimedDisk } from '../incidents/storage-manifests.js';
import { createQuota, setQuota } from '../incidents/team-quota.js';
import { untilAttached } from '../incidents/volume-attach-deadlock.js';
import { calm } from '../recorded-state.js';
import { probed, refused, surging, twoNodes } from './other-deadlocks.js';
import { type RecordedSet, setName } from './recorded-set.js';
import { aMoment, patchSet, rollOutSet, type SetOptions, untilUpdated, updateSet } from './rolling.js';

type Options = Omit<SetOptions, 'namespace'>;
type Act = (
  cluster: Cluster,
  namespace: string,
  before: readonly string[],
  options: Options,
) => Promise<unknown>;

interface Circumstances {
  readonly nodes?: readonly NodeOptions[];
  readonly options: (cluster: Cluster, namespace: string) => Promise<Options>;
  readonly diagnoseAfterSeconds?: number;
}

const healthy = (
  id: string,
  title: string,
  { nodes = [{ name: 'node-a' }], options: optionsOf, ...later }: Circumstances,
  act: Act = async () => {},
): RecordedSet => ({
  id,
  title,
  expected: calm,
  ...later,
  reproduce: async (cluster, namespace) => {
    await cluster.createNodes(...nodes);
    const options = await optionsOf(cluster, namespace);
    const before = await rollOutSet(cluster, { namespace, rollingUpdate: surging, ...options });
    await act(cluster, namespace, before, options);
    await aMoment();
  },
});

/** A quota for pods of 600m. */
const quotaFor =
  (cpu: string, options: Options = {}): Circumstances['options'] =>
  async (cluster, namespace) => {
    await createQuota(cluster, namespace, { 'requests.cpu': cpu });
    return { requests: { cpu: '600m' }, ...options };
  };

const disk: Circumstances['options'] = async (cluster, namespace) => ({
  requests: { cpu: '700m' },
  pod: await claimedDisk(cluster, namespace, 'ReadWriteOnce'),
});

const port: Circumstances['options'] = async () => ({
  container: { ports: [{ containerPort: 8443, hostPort: 443 }] },
});

const updates =
  (start?: 'not-ready' | 'container-creating'): Act =>
  (cluster, namespace, _, options) =>
    updateSet(cluster, namespace, options.requests ?? {}, {
      ...options,
      annotations: start === undefined ? {} : { [kubeletAnnotation.start]: start },
      spec: {},
    });

const startsNew: Act = async (...at) => {
  await updates('container-creating')(...at);
  const [cluster, namespace, before] = at;
  await untilNewPod(cluster, namespace, setName, before, 'Pending');
};

const stopOldFirst = (cluster: Cluster, namespace: string) =>
  patchSet(cluster, namespace, {
    rolloutStrategy: { rollingUpdateConfiguration: { maxSurge: 0, maxUnavailable: 1 } },
  });

/** The pod of a group of one is made anew, and its kubelet reports it as ready once `whenThere` is true. */
async function replaced(
  cluster: Cluster,
  namespace: string,
  before: readonly string[],
  start: 'Running' | 'Pending',
  whenThere: (pod: string, node: string) => Promise<unknown>,
): Promise<void> {
  const pod = await cluster.until<V1Pod, V1Pod>({
    what: 'a pod in place of the old one',
    selection: { kind: 'Pod', namespace, labels: { app: setName } },
    deadlineMilliseconds: 60_000,
    check: (pods) =>
      pods.length === 1
        ? pods.find(
            ({ spec, status }) =>
              spec?.containers[0]?.image?.endsWith(':2') &&
              status?.phase === start &&
              status.containerStatuses !== undefined,
          )
        : undefined,
  });
  await whenThere(pod.metadata?.name ?? before[0] ?? '', pod.spec?.nodeName ?? '');
  await becomeReady(cluster, pod);
  await untilUpdated(cluster, namespace, 1, 1);
}

export const healthySets: readonly RecordedSet[] = [
  healthy('quota-full-before-the-update', 'a group of two serves, and the quota has no room for another', {
    options: quotaFor('1200m', { size: 2 }),
  }),
  healthy(
    'quota-with-room-for-a-group',
    'the old and the surge group use the whole quota, and the surge group is starting',
    { options: quotaFor('2400m', { size: 2 }) },
    async (...at) => {
      await startsNew(...at);
      const [cluster, namespace] = at;
      await cluster.until({
        what: 'all four pods',
        selection: { kind: 'Pod', namespace },
        check: (pods) => pods.length === 4,
      });
    },
  ),
  healthy(
    'quota-full-after-the-fix',
    'the quota refused the surge group until the old group might go first, and has no room for another',
    { options: quotaFor('1500m', { size: 2 }) },
    async (...at) => {
      await updates()(...at);
      const [cluster, namespace] = at;
      await refused(cluster, namespace);
      await stopOldFirst(cluster, namespace);
      await untilUpdated(cluster, namespace, 1, 2);
    },
  ),
  healthy(
    'quota-raised-and-updated',
    'the quota refused the surge group of two, was raised, and the update went through',
    { options: quotaFor('1200m', { replicas: 2 }) },
    async (...at) => {
      await updates()(...at);
      const [cluster, namespace] = at;
      await refused(cluster, namespace);
      await setQuota(cluster, namespace, { 'requests.cpu': '1800m' });
      await untilUpdated(cluster, namespace, 2, 2);
    },
  ),
  healthy(
    'lock-before-the-update',
    'the leader of the only group renews the Lease, and no update is under way',
    { options: async () => ({ container: probed, size: 2 }), diagnoseAfterSeconds },
    (cluster, namespace, before) => createLease(cluster, namespace, before[0] ?? ''),
  ),
  healthy(
    'lock-taken-over-after-the-fix',
    'the surge group waited for the Lease, the old leader has stopped, and the new one renews it',
    { options: async () => ({ container: probed }), diagnoseAfterSeconds },
    async (...at) => {
      await updates('not-ready')(...at);
      const [cluster, namespace, before] = at;
      await waitForLease(cluster, namespace, setName, before);
      await stopOldFirst(cluster, namespace);
      await replaced(cluster, namespace, before, 'Running', (pod) => createLease(cluster, namespace, pod));
    },
  ),
  healthy(
    'volume-attached-before-the-update',
    'the disk is attached to the node of the only group',
    { nodes: twoNodes, options: disk },
    (cluster, namespace) => untilAttached(cluster, `pv-${namespace}`),
  ),
  healthy(
    'volume-shared-on-one-node',
    'the old and the surge group use the disk on the only node, and the surge group is starting',
    { options: disk },
    startsNew,
  ),
  healthy(
    'volume-moved-after-the-fix',
    'the old group has stopped, and the disk is attached to the node of the new one',
    { nodes: twoNodes, options: disk, diagnoseAfterSeconds },
    async (...at) => {
      await startsNew(...at);
      const [cluster, namespace, before] = at;
      await untilEvent(cluster, namespace, 'FailedAttachVolume', 'Multi-Attach error');
      await stopOldFirst(cluster, namespace);
      await replaced(cluster, namespace, before, 'Pending', (_, node) =>
        untilAttached(cluster, `pv-${namespace}`, node),
      );
    },
  ),
  healthy(
    'host-port-on-a-second-node',
    'the surge group binds the host port on the other node and is starting',
    { nodes: [{ name: 'node-a' }, { name: 'node-b' }], options: port },
    startsNew,
  ),
  healthy(
    'host-port-taken-over-after-the-fix',
    'the surge group waited for the host port, the old group has stopped, and the new one binds it',
    { options: port },
    async (...at) => {
      await updates()(...at);
      const [cluster, namespace, before] = at;
      await untilUnschedulable(cluster, namespace, setName, before, ["didn't have free ports"]);
      await stopOldFirst(cluster, namespace);
      await untilUpdated(cluster, namespace, 1, 1);
    },
  ),
];
