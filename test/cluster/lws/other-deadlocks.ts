import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../harness/cluster.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import type { NodeOptions } from '../harness/node-manifest.js';
import { createLease, diagnoseAfterSeconds, untilNewPod, waitForLease } from '../incidents/held-lease.js';
import { untilEvent, untilUnschedulable } from '../incidents/rolling.js';
import { claimedDisk } from '../incidents/storage-manifests.js';
import { createQuota, setQuota, takeQuota } from '../incidents/team-quota.js';
import { untilAttached } from '../incidents/volume-attach-deadlock.js';
import { calm, deadlockCauses, type Expected, withoutHolders } from '../recorded-state.js';
import { type RecordedSet, setName } from './recorded-set.js';
import { aMoment, patchSet, rollOutSet, type SetOptions, template, updateSet } from './rolling.js';

export const surging = { maxSurge: 1, maxUnavailable: 0 };
const remediation = {
  first: ['patch-strategy'],
  never: ['scale-down-old', 'restart-rollout', 'exclude-nodes', 'undo-rollout'],
};
const noFix = { never: [...remediation.first, ...remediation.never] };
const never = deadlockCauses;
export const probed = {
  readinessProbe: { exec: { command: ['is-leader'] }, periodSeconds: 10, failureThreshold: 3 },
};
export const refused = (cluster: Cluster, namespace: string) =>
  untilEvent(cluster, namespace, 'FailedCreate', 'exceeded quota: team');

interface Quota {
  readonly cpu: string;
  readonly size: number;
  readonly request: string;
  /** Of the updated pods; the same when left out. */
  readonly next?: string;
  readonly others?: string;
  readonly afterwards?: (...at: Parameters<RecordedSet['reproduce']>) => Promise<void>;
}

/** A set that surges by a group, beside which a quota refuses a pod. */
const quota =
  ({ cpu, size, request, next = request, others, afterwards }: Quota): RecordedSet['reproduce'] =>
  async (cluster, namespace) => {
    await cluster.createNodes({ name: 'node-a' });
    await createQuota(cluster, namespace, { 'requests.cpu': cpu });
    if (others !== undefined) await takeQuota(cluster, namespace, others);
    const before = await rollOutSet(cluster, {
      namespace,
      size,
      requests: { cpu: request },
      rollingUpdate: surging,
    });
    await updateSet(cluster, namespace, { cpu: next });
    await refused(cluster, namespace);
    await aMoment();
    await afterwards?.(cluster, namespace);
    return before;
  };

const ofQuota: Expected = {
  cause: 'quota-deadlock',
  minConfidence: 'proven',
  detail: { resource: 'requests.cpu' },
  remediation,
};

/** One pod of the next group starts in another way than the old ones. */
const started =
  (
    nodes: readonly NodeOptions[],
    start: 'not-ready' | 'container-creating' | undefined,
    optionsOf: (...at: Parameters<RecordedSet['reproduce']>) => Promise<Omit<SetOptions, 'namespace'>>,
    then: (cluster: Cluster, namespace: string, before: readonly string[]) => Promise<unknown>,
  ): RecordedSet['reproduce'] =>
  async (cluster, namespace) => {
    await cluster.createNodes(...nodes);
    const options = await optionsOf(cluster, namespace);
    const before = await rollOutSet(cluster, { namespace, rollingUpdate: surging, ...options });
    const annotations = start === undefined ? {} : { [kubeletAnnotation.start]: start };
    await updateSet(cluster, namespace, options.requests ?? {}, { ...options, annotations, spec: {} });
    await then(cluster, namespace, before);
    await aMoment();
    return before;
  };

const lockedBy = (holder: 'old pod' | 'somebody else') =>
  started(
    [{ name: 'node-a' }],
    'not-ready',
    async () => ({ container: probed }),
    async (cluster, namespace, before) => {
      await createLease(cluster, namespace, holder === 'old pod' ? (before[0] ?? '') : 'migration-5d8f');
      await waitForLease(cluster, namespace, setName, before);
    },
  );

export const twoNodes = ['node-a', 'node-b'].map((node) => ({ name: node, allocatable: { cpu: '1' } }));

export const otherDeadlockedSets: readonly RecordedSet[] = [
  {
    id: 'quota-for-one-group',
    title: 'the quota refuses the leader of the surge group beside the old group',
    expected: ofQuota,
    reproduce: quota({ cpu: '1500m', size: 2, request: '600m' }),
  },
  {
    id: 'quota-for-a-worker',
    title: 'the quota admits the leader of the surge group and refuses its worker',
    expected: ofQuota,
    reproduce: quota({ cpu: '2', size: 2, request: '600m' }),
  },
  {
    id: 'lock-of-the-old-leader',
    title: 'the leader of the surge group waits for the Lease that the old one renews',
    diagnoseAfterSeconds,
    expected: {
      cause: 'readiness-deadlock',
      minConfidence: 'proven',
      detail: { resource: 'Lease' },
      remediation,
    },
    reproduce: lockedBy('old pod'),
  },
  {
    id: 'volume-of-the-old-group',
    title: 'the disk of the surge group is attached to the node of the old group',
    diagnoseAfterSeconds,
    expected: {
      cause: 'volume-attach-deadlock',
      minConfidence: 'proven',
      detail: { resource: 'ReadWriteOnce' },
      remediation,
    },
    reproduce: started(
      twoNodes,
      'container-creating',
      async (cluster, namespace) => ({
        requests: { cpu: '700m' },
        pod: await claimedDisk(cluster, namespace, 'ReadWriteOnce'),
      }),
      async (cluster, namespace, before) => {
        await untilAttached(cluster, `pv-${namespace}`);
        await untilNewPod(cluster, namespace, setName, before, 'Pending');
        await untilEvent(cluster, namespace, 'FailedAttachVolume', 'Multi-Attach error');
      },
    ),
  },
  {
    id: 'host-port-of-the-old-group',
    title: 'the surge group needs the host port of the old group on the only node',
    expected: {
      cause: 'surge-deadlock',
      minConfidence: 'proven',
      detail: { resource: 'hostPort' },
      remediation,
    },
    reproduce: started(
      [{ name: 'node-a' }],
      undefined,
      async () => ({ container: { ports: [{ containerPort: 8443, hostPort: 443 }] } }),
      (cluster, namespace, before) =>
        untilUnschedulable(cluster, namespace, setName, before, ["didn't have free ports"]),
    ),
  },
];

export const setsLikeOtherDeadlocks: readonly RecordedSet[] = [
  {
    id: 'quota-used-by-another-workload',
    title: 'another workload uses the quota, and the old group would not give back enough',
    expected: { cause: 'quota-exceeded', minConfidence: 'proven', never, remediation: noFix },
    reproduce: withoutHolders(quota({ cpu: '1500m', size: 1, request: '300m', next: '600m', others: '1' })),
  },
  {
    id: 'quota-below-one-group',
    title:
      'the quota would admit one more worker of the new group without the old one, but never all of them',
    expected: { cause: 'quota-exceeded', never, remediation: noFix },
    reproduce: withoutHolders(async (cluster, namespace) => {
      await cluster.createNodes({ name: 'node-a' });
      await createQuota(cluster, namespace, { 'requests.cpu': '2' });
      const leaderTemplate = template({ cpu: '500m' });
      const leaderWorkerTemplate = { size: 3, leaderTemplate, workerTemplate: template({ cpu: '500m' }) };
      await rollOutSet(cluster, {
        namespace,
        size: 3,
        rollingUpdate: surging,
        spec: { leaderWorkerTemplate },
      });
      const workerTemplate = template({ cpu: '1' }, 'registry.example/app:2');
      await patchSet(cluster, namespace, { leaderWorkerTemplate: { workerTemplate } });
      await refused(cluster, namespace);
      await aMoment();
    }),
  },
  {
    id: 'quota-raised-since',
    title: 'the quota was raised, and the StatefulSet has yet to try again',
    expected: { anyOf: ['quota-exceeded'], maxConfidence: 'likely', never, remediation: noFix },
    reproduce: withoutHolders(
      quota({
        cpu: '1',
        size: 1,
        request: '600m',
        afterwards: async (cluster, namespace) => {
          // The pause between two attempts doubles each time.
          await delay(25_000);
          await setQuota(cluster, namespace, { 'requests.cpu': '4' });
        },
      }),
    ),
  },
  {
    id: 'lock-of-another-workload',
    title: 'the leader of the surge group waits for a Lease that a pod of another workload renews',
    diagnoseAfterSeconds,
    expected: { cause: 'readiness-failing', never, remediation: noFix },
    reproduce: withoutHolders(lockedBy('somebody else')),
  },
  {
    id: 'volume-that-both-nodes-may-use',
    title: 'the surge group is starting with a volume that several nodes may use',
    expected: calm,
    reproduce: withoutHolders(
      started(
        twoNodes,
        'container-creating',
        async (cluster, namespace) => ({
          requests: { cpu: '700m' },
          pod: await claimedDisk(cluster, namespace, 'ReadWriteMany'),
        }),
        (cluster, namespace, before) => untilNewPod(cluster, namespace, setName, before, 'Pending'),
      ),
    ),
  },
];
