import type { Cluster } from '../harness/cluster.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import type { NodeOptions } from '../harness/node-manifest.js';
import { createLease, diagnoseAfterSeconds, untilNewPod, waitForLease } from '../incidents/held-lease.js';
import { untilEvent, untilNotCreated, untilUnschedulable } from '../incidents/rolling.js';
import { claimedDisk } from '../incidents/storage-manifests.js';
import { createQuota } from '../incidents/team-quota.js';
import { untilAttached } from '../incidents/volume-attach-deadlock.js';
import type { Expected } from '../recorded-state.js';
import { type RecordedRollout, rolloutName } from './recorded-rollout.js';
import { rollOutArgo, updateArgo } from './rolling.js';
import { ingressManifest, type RolloutOptions, serviceManifest } from './rollout-manifest.js';

const name = rolloutName;
const inVain = ['scale-down-old', 'restart-rollout'];
/** What a canary without a router is offered, and what the others are. */
const patchFirst = { first: ['patch-strategy'], never: inVain };
const abortFirst = { first: ['abort-rollout'], never: [...inVain, 'patch-strategy'] };

export const probed = {
  readinessProbe: { exec: { command: ['is-leader'] }, periodSeconds: 10, failureThreshold: 3 },
};
export const quotaMessage = ['exceeded quota: team'];

export type Options = Omit<RolloutOptions, 'namespace' | 'name'>;
export type Strategy = 'canary' | 'routed' | 'blue-green';

/** The fields of the strategy, and the objects that it names. */
const strategies: Readonly<
  Record<Strategy, { readonly strategy: object; readonly services: readonly string[] }>
> = {
  canary: { strategy: { canary: {} }, services: [] },
  routed: {
    strategy: {
      canary: {
        steps: [{ setWeight: 50 }, { pause: {} }],
        stableService: 'stable',
        canaryService: 'canary',
        trafficRouting: { nginx: { stableIngress: 'web' } },
      },
    },
    services: ['stable', 'canary'],
  },
  'blue-green': { strategy: { blueGreen: { activeService: 'active' } }, services: ['active'] },
};

/** A Rollout of one of these strategies, rolled out. Returns the names of its pods. */
export async function rolledOut(
  cluster: Cluster,
  namespace: string,
  kind: Strategy,
  nodes: readonly NodeOptions[],
  optionsOf: () => Promise<Options> = async () => ({}),
): Promise<readonly string[]> {
  await cluster.createNodes(...nodes);
  const { strategy, services } = strategies[kind];
  for (const service of services) {
    await cluster.objects.create(serviceManifest(namespace, service, name));
  }
  if (kind === 'routed') await cluster.objects.create(ingressManifest(namespace, 'web', 'stable'));
  const options = await optionsOf();
  return rollOutArgo(cluster, { namespace, name, strategy, ...options });
}

/** A Rollout of one of these strategies, updated. */
export const updated =
  (
    kind: Strategy,
    nodes: readonly NodeOptions[],
    steps: {
      readonly before?: (...at: Parameters<RecordedRollout['reproduce']>) => Promise<Options>;
      readonly update?: Parameters<typeof updateArgo>[4];
      /** Waits for the state that is recorded. */
      readonly reach: (
        cluster: Parameters<RecordedRollout['reproduce']>[0],
        namespace: string,
        holders: readonly string[],
      ) => Promise<unknown>;
    },
  ): RecordedRollout['reproduce'] =>
  async (cluster, namespace, argo) => {
    const holders = await rolledOut(
      cluster,
      namespace,
      kind,
      nodes,
      async () => (await steps.before?.(cluster, namespace, argo)) ?? {},
    );
    await updateArgo(cluster, namespace, name, undefined, steps.update);
    await steps.reach(cluster, namespace, holders);
    return holders;
  };

const quota = (
  id: string,
  title: string,
  kind: Strategy,
  options: Options = {},
  cpu = '1',
): RecordedRollout => ({
  id,
  title,
  expected: {
    cause: 'quota-deadlock',
    minConfidence: 'proven',
    detail: { resource: 'requests.cpu' },
    remediation: kind === 'canary' ? patchFirst : abortFirst,
  },
  reproduce: updated(kind, [{ name: 'node-a' }], {
    before: async (cluster, namespace) => {
      await createQuota(cluster, namespace, { 'requests.cpu': cpu });
      return { requests: { cpu: '600m' }, ...options };
    },
    reach: (cluster, namespace) => untilNotCreated(cluster, namespace, name, quotaMessage),
  }),
});

const lock = (id: string, title: string, kind: Strategy): RecordedRollout => ({
  id,
  title,
  diagnoseAfterSeconds,
  expected: {
    cause: 'readiness-deadlock',
    minConfidence: 'proven',
    detail: { resource: 'Lease' },
    remediation: kind === 'canary' ? patchFirst : abortFirst,
  },
  reproduce: updated(kind, [{ name: 'node-a' }], {
    before: async () => ({ container: probed }),
    update: { annotations: { [kubeletAnnotation.start]: 'not-ready' } },
    reach: async (cluster, namespace, holders) => {
      await createLease(cluster, namespace, holders[0] ?? '');
      await waitForLease(cluster, namespace, name, holders);
    },
  }),
});

/** Each node has CPU for one of the pods, so that the scheduler must take the other node for the new one. */
export const twoNodes = ['node-a', 'node-b'].map((node) => ({ name: node, allocatable: { cpu: '1' } }));

const volume = (id: string, title: string, kind: Strategy): RecordedRollout => ({
  id,
  title,
  diagnoseAfterSeconds,
  expected: {
    cause: 'volume-attach-deadlock',
    minConfidence: 'proven',
    detail: { resource: 'ReadWriteOnce' },
    remediation: kind === 'canary' ? patchFirst : abortFirst,
  },
  reproduce: updated(kind, twoNodes, {
    before: async (cluster, namespace) => ({
      requests: { cpu: '700m' },
      pod: await claimedDisk(cluster, namespace, 'ReadWriteOnce'),
    }),
    update: { annotations: { [kubeletAnnotation.start]: 'container-creating' } },
    reach: async (cluster, namespace, holders) => {
      await untilAttached(cluster, `pv-${namespace}`);
      await untilNewPod(cluster, namespace, name, holders, 'Pending');
      await untilEvent(cluster, namespace, 'FailedAttachVolume', 'Multi-Attach error');
    },
  }),
});

/** The scheduler itself refuses the new pod, for something else than an amount. */
const place = (
  id: string,
  title: string,
  kind: Strategy,
  resource: string,
  {
    message,
    options,
  }: { readonly message: string; readonly options: Parameters<typeof updated>[2]['before'] },
): RecordedRollout => ({
  id,
  title,
  expected: {
    cause: 'surge-deadlock',
    minConfidence: 'proven',
    detail: { resource },
    remediation: kind === 'canary' ? patchFirst : abortFirst,
  },
  reproduce: updated(kind, [{ name: 'node-a' }], {
    ...(options === undefined ? {} : { before: options }),
    reach: (cluster, namespace, holders) => untilUnschedulable(cluster, namespace, name, holders, [message]),
  }),
});

export const hostPort = { ports: [{ containerPort: 8443, hostPort: 443 }] };

const portHeld = {
  message: "didn't have free ports",
  options: async () => ({ container: hostPort }),
};

const volumeHeld = {
  message: 'ReadWriteOncePod access mode already in-use',
  options: async (...[cluster, namespace]: Parameters<RecordedRollout['reproduce']>) => ({
    pod: await claimedDisk(cluster, namespace, 'ReadWriteOncePod'),
  }),
};

export const halfWay: Expected = {
  maxSurge: 1,
  maxUnavailable: 0,
  steps: [{ setWeight: 50 }, { setWeight: 100 }],
};

export const otherDeadlockedRollouts: readonly RecordedRollout[] = [
  quota('quota-canary', 'the quota refuses the canary beside the pod that serves', 'canary'),
  quota(
    'quota-of-four-replicas',
    'a canary at weight 50 of four replicas, and the quota refuses a fifth pod',
    'canary',
    { replicas: 4, strategy: { canary: halfWay } },
    '2500m',
  ),
  quota('quota-routed-canary', 'the quota refuses the canary behind an Ingress', 'routed'),
  quota('quota-blue-green', 'the quota refuses the preview pod', 'blue-green'),
  lock('lock-canary', 'the canary waits for the Lease that the pod that serves renews', 'canary'),
  lock('lock-blue-green', 'the preview pod waits for the Lease that the active pod renews', 'blue-green'),
  volume('volume-canary', 'the disk of the canary is attached to the node of the pod that serves', 'canary'),
  volume('volume-routed-canary', 'the same of a canary behind an Ingress', 'routed'),
  place(
    'host-port-canary',
    'the canary needs the host port of the pod that serves',
    'canary',
    'hostPort',
    portHeld,
  ),
  place(
    'one-pod-volume-blue-green',
    'the preview pod needs a volume that one pod alone may use',
    'blue-green',
    'ReadWriteOncePod',
    volumeHeld,
  ),
];
