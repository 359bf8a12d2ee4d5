import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../harness/cluster.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { deploymentManifest } from '../incidents/deployment-manifest.js';
import { createLease, diagnoseAfterSeconds, untilNewPod, waitForLease } from '../incidents/held-lease.js';
import { untilNotCreated, untilRolledOut, untilUnschedulable } from '../incidents/rolling.js';
import { claimedDisk } from '../incidents/storage-manifests.js';
import { createQuota, setQuota, takeQuota } from '../incidents/team-quota.js';
import { calm, deadlockCauses, withoutHolders } from '../recorded-state.js';
import { hostPort, type Options, probed, quotaMessage, twoNodes, updated } from './other-deadlocks.js';
import { type RecordedRollout, rolloutName } from './recorded-rollout.js';
import { patchRollout, untilPaused } from './rolling.js';

const name = rolloutName;
const never = deadlockCauses;
const noFix = { never: ['patch-strategy', 'scale-down-old', 'restart-rollout'] };

const refused = (cluster: Cluster, namespace: string) =>
  untilNotCreated(cluster, namespace, name, quotaMessage);

/** Under a quota on CPUs, of which another workload may take one, pods request so many. */
const quotaOf =
  (total: string, cpu: string, taken?: string) =>
  async (cluster: Cluster, namespace: string): Promise<Options> => {
    await createQuota(cluster, namespace, { 'requests.cpu': total });
    if (taken !== undefined) await takeQuota(cluster, namespace, taken);
    return { requests: { cpu } };
  };

/**
 * Rollouts that resemble the other deadlocks: something else than the pod that serves has what the new pod
 * needs.
 */
export const rolloutsLikeOtherDeadlocks: readonly RecordedRollout[] = [
  {
    id: 'quota-used-by-another-workload',
    title: 'another workload uses the quota, and the pod that serves would not give back enough',
    expected: { cause: 'quota-exceeded', minConfidence: 'proven', never, remediation: noFix },
    reproduce: withoutHolders(
      updated('canary', [{ name: 'node-a' }], {
        before: quotaOf('1500m', '300m', '1'),
        update: { container: { resources: { requests: { cpu: '600m' } } } },
        reach: refused,
      }),
    ),
  },
  {
    id: 'quota-below-one-pod',
    title: 'the new pod requests more than the whole quota',
    expected: { cause: 'quota-exceeded', minConfidence: 'proven', never, remediation: noFix },
    reproduce: withoutHolders(
      updated('blue-green', [{ name: 'node-a' }], {
        before: quotaOf('1', '300m'),
        update: { container: { resources: { requests: { cpu: '2' } } } },
        reach: refused,
      }),
    ),
  },
  {
    id: 'quota-raised-since',
    title: 'the quota was raised, and the ReplicaSet has yet to try again',
    expected: { cause: 'quota-exceeded', maxConfidence: 'likely', never, remediation: noFix },
    reproduce: withoutHolders(
      updated('canary', [{ name: 'node-a' }], {
        before: quotaOf('1', '600m'),
        reach: async (cluster, namespace) => {
          await refused(cluster, namespace);
          // The pause between two attempts doubles each time.
          await delay(25_000);
          await setQuota(cluster, namespace, { 'requests.cpu': '4' });
        },
      }),
    ),
  },
  {
    id: 'quota-while-a-person-pauses',
    title: 'a person paused the Rollout while the quota refuses its canary',
    expected: { cause: 'rollout-paused', minConfidence: 'proven', never: deadlockCauses },
    reproduce: withoutHolders(
      updated('canary', [{ name: 'node-a' }], {
        before: quotaOf('1', '600m'),
        reach: async (cluster, namespace) => {
          await refused(cluster, namespace);
          await patchRollout(cluster, namespace, name, { spec: { paused: true } });
          await untilPaused(cluster, namespace);
        },
      }),
    ),
  },
  {
    id: 'lock-of-another-workload',
    title: 'the canary waits for a Lease that a pod of another workload renews',
    diagnoseAfterSeconds,
    expected: { cause: 'readiness-failing', never, remediation: noFix },
    reproduce: withoutHolders(
      updated('canary', [{ name: 'node-a' }], {
        before: async () => ({ container: probed }),
        update: { annotations: { [kubeletAnnotation.start]: 'not-ready' } },
        reach: async (cluster, namespace, holders) => {
          await createLease(cluster, namespace, 'migration-5d8f');
          await waitForLease(cluster, namespace, name, holders);
        },
      }),
    ),
  },
  {
    id: 'volume-that-both-nodes-may-use',
    title: 'the canary is starting with a volume that several nodes may use',
    expected: calm,
    reproduce: withoutHolders(
      updated('canary', twoNodes, {
        before: async (cluster, namespace) => ({
          requests: { cpu: '700m' },
          pod: await claimedDisk(cluster, namespace, 'ReadWriteMany'),
        }),
        update: { annotations: { [kubeletAnnotation.start]: 'container-creating' } },
        reach: (cluster, namespace, holders) => untilNewPod(cluster, namespace, name, holders, 'Pending'),
      }),
    ),
  },
  {
    id: 'host-port-of-another-workload',
    title: 'the canary takes a host port that another workload uses on the only node',
    expected: { cause: 'capacity-contention', detail: { resource: 'hostPort' }, never, remediation: noFix },
    reproduce: withoutHolders(
      updated('canary', [{ name: 'node-a' }], {
        before: async (cluster, namespace) => {
          await cluster.create(deploymentManifest({ namespace, name: 'proxy', container: hostPort }));
          await untilRolledOut(cluster, namespace, 'proxy');
          return {};
        },
        update: { container: hostPort },
        reach: (cluster, namespace, holders) =>
          untilUnschedulable(cluster, namespace, name, holders, ["didn't have free ports"]),
      }),
    ),
  },
];
