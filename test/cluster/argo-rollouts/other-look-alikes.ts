import { setTimeout as delay } from 'node:timers/promises';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { deploymentManifest } from '../incidents/deployment-manifest.js';
import { createLease, diagnoseAfterSeconds, untilNewPod, waitForLease } from '../incidents/held-lease.js';
import { untilNotCreated, untilRolledOut, untilUnschedulable } from '../incidents/rolling.js';
import { claimedDisk } from '../incidents/storage-manifests.js';
import { createQuota, setQuota, takeQuota } from '../incidents/team-quota.js';
import { calm, deadlockCauses } from '../recorded-state.js';
import { hostPort, probed, quotaMessage, updated } from './other-deadlocks.js';
import { type RecordedRollout, rolloutName } from './recorded-rollout.js';
import { patchRollout, untilRollout } from './rolling.js';

const name = rolloutName;
const never = deadlockCauses;
const noFix = { never: ['patch-strategy', 'scale-down-old', 'restart-rollout'] };

/**
 * Rollouts that resemble the other deadlocks: something else than the pod that serves has what the new pod
 * needs.
 */
export const rolloutsLikeOtherDeadlocks: readonly RecordedRollout[] = [
  {
    id: 'quota-used-by-another-workload',
    title: 'another workload uses the quota, and the pod that serves would not give back enough',
    expected: { cause: 'quota-exceeded', minConfidence: 'proven', never, remediation: noFix },
    reproduce: async (...at) => {
      const reproduce = updated('canary', [{ name: 'node-a' }], {
        before: async (cluster, namespace) => {
          await createQuota(cluster, namespace, { 'requests.cpu': '1500m' });
          await takeQuota(cluster, namespace, '1');
          return { requests: { cpu: '300m' } };
        },
        update: { container: { resources: { requests: { cpu: '600m' } } } },
        reach: (cluster, namespace) => untilNotCreated(cluster, namespace, name, quotaMessage),
      });
      await reproduce(...at);
      return [];
    },
  },
  {
    id: 'quota-below-one-pod',
    title: 'the new pod requests more than the whole quota',
    expected: { cause: 'quota-exceeded', minConfidence: 'proven', never, remediation: noFix },
    reproduce: async (...at) => {
      const reproduce = updated('blue-green', [{ name: 'node-a' }], {
        before: async (cluster, namespace) => {
          await createQuota(cluster, namespace, { 'requests.cpu': '1' });
          return { requests: { cpu: '300m' } };
        },
        update: { container: { resources: { requests: { cpu: '2' } } } },
        reach: (cluster, namespace) => untilNotCreated(cluster, namespace, name, quotaMessage),
      });
      await reproduce(...at);
      return [];
    },
  },
  {
    id: 'quota-raised-since',
    title: 'the quota was raised, and the ReplicaSet has yet to try again',
    expected: { cause: 'quota-exceeded', maxConfidence: 'likely', never, remediation: noFix },
    reproduce: async (...at) => {
      const reproduce = updated('canary', [{ name: 'node-a' }], {
        before: async (cluster, namespace) => {
          await createQuota(cluster, namespace, { 'requests.cpu': '1' });
          return { requests: { cpu: '600m' } };
        },
        reach: async (cluster, namespace) => {
          await untilNotCreated(cluster, namespace, name, quotaMessage);
          // The pause between two attempts doubles each time.
          await delay(25_000);
          await setQuota(cluster, namespace, { 'requests.cpu': '4' });
        },
      });
      await reproduce(...at);
      return [];
    },
  },
  {
    id: 'quota-while-a-person-pauses',
    title: 'a person paused the Rollout while the quota refuses its canary',
    expected: { cause: 'rollout-paused', minConfidence: 'proven', never: deadlockCauses },
    reproduce: async (...at) => {
      const reproduce = updated('canary', [{ name: 'node-a' }], {
        before: async (cluster, namespace) => {
          await createQuota(cluster, namespace, { 'requests.cpu': '1' });
          return { requests: { cpu: '600m' } };
        },
        reach: async (cluster, namespace) => {
          await untilNotCreated(cluster, namespace, name, quotaMessage);
          await patchRollout(cluster, namespace, name, { spec: { paused: true } });
          await untilRollout(cluster, namespace, name, 'paused', ({ status }) => status?.phase === 'Paused');
        },
      });
      await reproduce(...at);
      return [];
    },
  },
  {
    id: 'lock-of-another-workload',
    title: 'the canary waits for a Lease that a pod of another workload renews',
    diagnoseAfterSeconds,
    expected: { cause: 'readiness-failing', never, remediation: noFix },
    reproduce: async (...at) => {
      const reproduce = updated('canary', [{ name: 'node-a' }], {
        before: async () => ({ container: probed }),
        update: { annotations: { [kubeletAnnotation.start]: 'not-ready' } },
        reach: async (cluster, namespace, holders) => {
          await createLease(cluster, namespace, 'migration-5d8f');
          await waitForLease(cluster, namespace, name, holders);
        },
      });
      await reproduce(...at);
      return [];
    },
  },
  {
    id: 'volume-that-both-nodes-may-use',
    title: 'the canary is starting with a volume that several nodes may use',
    expected: calm,
    reproduce: async (...at) => {
      const nodes = ['node-a', 'node-b'].map((node) => ({ name: node, allocatable: { cpu: '1' } }));
      const reproduce = updated('canary', nodes, {
        before: async (cluster, namespace) => ({
          requests: { cpu: '700m' },
          pod: await claimedDisk(cluster, namespace, 'ReadWriteMany'),
        }),
        update: { annotations: { [kubeletAnnotation.start]: 'container-creating' } },
        reach: (cluster, namespace, holders) => untilNewPod(cluster, namespace, name, holders, 'Pending'),
      });
      await reproduce(...at);
      return [];
    },
  },
  {
    id: 'host-port-of-another-workload',
    title: 'the canary takes a host port that another workload uses on the only node',
    expected: { cause: 'capacity-contention', detail: { resource: 'hostPort' }, never, remediation: noFix },
    reproduce: async (...at) => {
      const reproduce = updated('canary', [{ name: 'node-a' }], {
        before: async (cluster, namespace) => {
          await cluster.create(deploymentManifest({ namespace, name: 'proxy', container: hostPort }));
          await untilRolledOut(cluster, namespace, 'proxy');
          return {};
        },
        update: { container: hostPort },
        reach: (cluster, namespace, holders) =>
          untilUnschedulable(cluster, namespace, name, holders, ["didn't have free ports"]),
      });
      await reproduce(...at);
      return [];
    },
  },
];
