import type { V1Deployment } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { deploymentManifest } from './deployment-manifest.js';
import { deadlocks, deployment, type Happened, type Incident } from './incident.js';
import { isRolledOut, rollOut, untilUnschedulable, update } from './rolling.js';

const gpu = 'nvidia.com/gpu';
const requests = { [gpu]: '1' };
const lacksGpu = [`Insufficient ${gpu}`];
const inPool = (pool: string) => ({ nodeSelector: { pool } });
/** Long enough to see which pods are not ready, short enough for a test. */
const grace = { terminationGracePeriodSeconds: 5 };

const oldPodFirst = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };

interface Member {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** Each workload moves to the pool of the next one, where that one's old pod has the only GPU. */
const ring: readonly [Member, ...Member[]] = [
  { name: 'web', from: 'a', to: 'b' },
  { name: 'api', from: 'b', to: 'c' },
  { name: 'cart', from: 'c', to: 'a' },
];

/** Rolls all out on a node of their own, then moves these, and waits until each of those is refused. */
async function move(
  cluster: Cluster,
  namespace: string,
  moved: readonly string[],
  /** Workloads that may stop an old pod first; the test does not wait for a refusal of theirs. */
  inPlace: readonly string[] = [],
): Promise<Happened> {
  await cluster.createNodes(
    ...ring.map(({ from }) => ({ name: `n-${from}`, labels: { pool: from }, allocatable: requests })),
  );
  const old = new Map<string, readonly string[]>();
  for (const { name, from } of ring) {
    const options = { namespace, name, requests, pod: { ...inPool(from), ...grace } };
    const isInPlace = inPlace.includes(name);
    old.set(name, await rollOut(cluster, { ...options, ...(isInPlace ? { strategy: oldPodFirst } : {}) }));
  }
  for (const { name, to } of ring)
    if (moved.includes(name)) await update(cluster, namespace, name, inPool(to));
  const blocked = await Promise.all(
    (inPlace.length > 0 ? [] : moved).map((name) =>
      untilUnschedulable(cluster, namespace, name, old.get(name) ?? [], lacksGpu),
    ),
  );
  return {
    workload: deployment(namespace, ring[0].name),
    holders: old.get('api') ?? [],
    blocked: blocked[0]?.blocked ?? [],
    messages: blocked.flatMap(({ messages }) => messages),
  };
}

const contention = { cause: 'capacity-contention', never: deadlocks, resource: gpu, nodes: ['n-b'] } as const;
const moved = ring.map(({ name }) => name);

export const waitCycleOfThree: Incident = {
  id: 'wait-cycle-of-three',
  title: 'three Deployments moved to the GPU node of the next one: each new pod waits for the next old pod',
  known: { ...contention, messages: lacksGpu, freedByStrategy: true },
  reproduce: async (cluster) => move(cluster, await cluster.createNamespace('wait-cycle-of-three'), moved),
};

const waitChainOfThree: Incident = {
  id: 'wait-chain-of-three',
  title: 'two of three Deployments moved, and the last one of the chain is not rolling out: no cycle',
  known: { ...contention, messages: lacksGpu, freedByStrategy: false },
  reproduce: async (cluster) =>
    move(cluster, await cluster.createNamespace('wait-chain-of-three'), ['web', 'api']),
};

const waitCycleContested: Incident = {
  id: 'wait-cycle-contested',
  title: 'a wait cycle of three, and a pod of a fourth workload waits for the GPU that a fix would free',
  known: { ...contention, messages: lacksGpu },
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace('wait-cycle-contested');
    const happened = await move(cluster, namespace, moved);
    const options = { namespace, name: 'training', requests, pod: inPool('a') };
    await cluster.create(deploymentManifest(options));
    await untilUnschedulable(cluster, namespace, 'training', [], lacksGpu);
    return happened;
  },
};

const waitCycleThatOpens: Incident = {
  id: 'wait-cycle-that-opens',
  title: 'three Deployments move in a ring, and one of them may stop its old pod first: all complete',
  known: { cause: undefined, never: [...deadlocks, 'capacity-contention'], messages: [] },
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace('wait-cycle-that-opens');
    const happened = await move(cluster, namespace, moved, ['cart']);
    await untilAllRolledOut(cluster, namespace, moved);
    return { ...happened, holders: [], blocked: [], messages: [] };
  },
};

export const waitCycleOfTwo: Incident = {
  id: 'wait-cycle-of-two',
  title:
    'one Deployment waits for the GPU of another one, whose new pod waits for the host port of the first',
  known: {
    cause: 'capacity-contention',
    never: deadlocks,
    resource: gpu,
    nodes: ['n-b'],
    messages: lacksGpu,
    freedByStrategy: true,
  },
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace('wait-cycle-of-two');
    await cluster.createNodes(
      ...['a', 'b'].map((pool) => ({ name: `n-${pool}`, labels: { pool }, allocatable: requests })),
    );
    const port = { ports: [{ containerPort: 8080, hostPort: 8080 }] };
    const options = { namespace, name: 'cart', container: port, pod: { ...inPool('a'), ...grace } };
    const cart = await rollOut(cluster, options);
    const stock = await rollOut(cluster, {
      namespace,
      name: 'stock',
      requests,
      pod: { ...inPool('b'), ...grace },
    });
    await update(cluster, namespace, 'cart', {
      ...inPool('b'),
      containers: [
        { name: 'app', image: 'registry.example/app:2', resources: { requests, limits: requests } },
      ],
    });
    await update(cluster, namespace, 'stock', {
      ...inPool('a'),
      containers: [{ name: 'app', image: 'registry.example/app:2', ...port }],
    });
    const stuck = await untilUnschedulable(cluster, namespace, 'cart', cart, lacksGpu);
    await untilUnschedulable(cluster, namespace, 'stock', stock, ["didn't have free ports"]);
    return { workload: deployment(namespace, 'cart'), holders: stock, ...stuck };
  },
};

/** Waits until each of these Deployments is rolled out. */
export async function untilAllRolledOut(
  cluster: Cluster,
  namespace: string,
  names: readonly string[],
): Promise<void> {
  await cluster.until<V1Deployment, true>({
    what: `Deployments ${names.join(', ')} to be rolled out`,
    selection: { kind: 'Deployment', namespace },
    check: (all) =>
      names.every((name) => all.some((one) => one.metadata?.name === name && isRolledOut(one))) || undefined,
  });
}

/** Recorded as scenarios; `wait-cycle.nightly.test.ts` applies the fixes of those that are cycles. */
export const waitCycles: readonly Incident[] = [
  waitCycleOfTwo,
  waitCycleOfThree,
  waitChainOfThree,
  waitCycleContested,
  waitCycleThatOpens,
];
