import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createClusterReader } from '#src/edges/kubernetes/cluster-reader.js';
import { diagnosisBudget, type ReadBudget, withReadBudget } from '#src/edges/kubernetes/list-reading.js';
import type { NodeCache } from '#src/edges/kubernetes/node-watch/node-cache.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { createEngine } from '#src/service/create-engine.js';
import type { ApiObject } from '../../../bench/generated-cluster/api-object.js';
import { deadlocked, gpuDeadlock } from '../../../bench/generated-cluster/deadlock.js';
import { generateCluster } from '../../../bench/generated-cluster/generate-cluster.js';
import { type ServedCluster, serveCluster } from './served-cluster.js';

const engine = createEngine();
const clock = { now: () => new Date('2026-11-20T09:30:00Z') };

function clusterOf(candidates: number): readonly ApiObject[] {
  const shape = { seed: 1, nodes: candidates + 8, pods: candidates + 8, zones: 3 };
  return [...generateCluster({ ...shape, deadlocks: [gpuDeadlock(candidates)] })].map((object) => ({
    ...object,
    metadata: { ...object.metadata, resourceVersion: '7' },
  }));
}

async function serve(...options: Parameters<typeof serveCluster>): Promise<ServedCluster> {
  const served = await serveCluster(...options);
  onTestFinished(() => served.close());
  return served;
}

async function readSnapshot(
  { connection }: ServedCluster,
  budget: ReadBudget = diagnosisBudget,
  nodes?: Pick<NodeCache, 'nodes'>,
): Promise<Snapshot> {
  const stream = (): never => {
    throw new Error('a diagnosis watches nothing');
  };
  const reader = createClusterReader({
    connections: [{ ...connection, stream }],
    clock,
    timeoutMs: 60_000,
    findTimeoutMs: 60_000,
    budget,
    ...(nodes === undefined ? {} : { nodes }),
  });
  const read = await reader.snapshot({ cluster: connection.name, ...deadlocked }, engine.needs);
  if (read.type !== 'snapshot') throw new Error(JSON.stringify(read));
  return read.snapshot;
}

const byNode = ({ searchParams }: { readonly searchParams: URLSearchParams }): boolean =>
  /^spec\.nodeName=[^,]/.test(searchParams.get('fieldSelector') ?? '');
const podsByNode = ({ requests }: ServedCluster): readonly string[] =>
  requests.filter((path) => byNode(new URL(path, 'http://x')));
const firstOf = (snapshot: Snapshot) => engine.diagnose(snapshot).findings[0];

it('proves a deadlock among 512 candidates within the limit of concurrent requests', async () => {
  const served = await serve(clusterOf(512));
  const snapshot = await readSnapshot(served);
  expect(firstOf(snapshot)).toMatchObject({ cause: 'surge-deadlock', confidence: 'proven' });
  expect(podsByNode(served)).toHaveLength(512);
  expect(served.mostAtOnce()).toBeLessThanOrEqual(diagnosisBudget.atOnce);
  expect(served.requests.length).toBeLessThanOrEqual(diagnosisBudget.maxRequests);
});

it('stops when a node has room, and reads the most likely nodes first', async () => {
  const objects = clusterOf(512);
  const full = objects.filter(({ kind }) => kind === 'Node').at(300) as ApiObject;
  // Cordoned nodes and older ones come later.
  const fresh: ApiObject = {
    ...full,
    metadata: {
      ...full.metadata,
      name: 'node-fresh',
      uid: 'fresh',
      creationTimestamp: '2026-11-20T09:00:00Z',
    },
  };
  const served = await serve([...objects, fresh]);
  const snapshot = await readSnapshot(served);
  expect(podsByNode(served).slice(0, 4).join()).toContain('node-fresh');
  expect(podsByNode(served).length).toBeLessThanOrEqual(16);
  expect(snapshot.unseen).toEqual([]);
  expect(firstOf(snapshot)?.cause).not.toBe('surge-deadlock');
});

/** The same cluster, whose new pod needs no device and crashes on a node of its own. */
function crashingClusterOf(candidates: number): readonly ApiObject[] {
  const objects = JSON.parse(
    JSON.stringify(clusterOf(candidates)).replaceAll(/,?"nvidia\.com\/gpu":"1"/g, ''),
  ) as readonly ApiObject[];
  const own = objects.filter(
    ({ kind, metadata }) => kind === 'Pod' && metadata.namespace === deadlocked.namespace,
  );
  const placed = own.find((pod) => 'nodeName' in (pod.spec as object));
  const [free] = objects.filter(({ kind }) => kind === 'Node').slice(-1);
  const containerStatuses = [
    {
      name: 'server',
      image: 'a',
      imageID: '',
      ready: false,
      restartCount: 8,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { exitCode: 1, reason: 'Error' } },
    },
  ];
  return objects.map((object) =>
    own.includes(object) && object !== placed
      ? {
          ...object,
          spec: { ...(object.spec as object), nodeName: free?.metadata.name },
          status: { phase: 'Running', containerStatuses },
        }
      : object,
  );
}

it('reads for a crash loop no kind that it does not need, and four further nodes where these have room', async () => {
  const served = await serve(crashingClusterOf(40));
  const snapshot = await readSnapshot(served);
  expect(firstOf(snapshot)?.cause).toMatch(/^crash-loop/);
  const ownNodes = new Set(
    snapshot.index.objects.Pod.filter(({ metadata }) => metadata.namespace === deadlocked.namespace).map(
      ({ spec }) => spec.nodeName,
    ),
  );
  expect(ownNodes.size).toBe(2);
  expect(podsByNode(served)).toHaveLength(ownNodes.size + 4);
  const unneeded = /\/(leases|resourceclaims|resourceclaimtemplates|priorityclasses|deployments)\?/;
  expect(served.requests.filter((path) => unneeded.test(path))).toEqual([]);
});

it('reads 100 of 700 candidates, reports the others as unseen and proves nothing', async () => {
  const served = await serve(clusterOf(700));
  const snapshot = await readSnapshot(served);
  expect(podsByNode(served)).toHaveLength(100);
  expect(snapshot.unseen).toMatchObject([{ what: 'Pod', because: 'too-many', message: '600 nodes' }]);
  expect(firstOf(snapshot)?.confidence).not.toBe('proven');
});

it.each([
  { what: 'refuses', refuse: 504 },
  { what: 'never answers', refuse: undefined },
])('sends few requests to an API server that $what lists by node, and proves nothing', async ({ refuse }) => {
  const served = await serve(clusterOf(64), (url, response) => {
    if (!byNode(url)) return false;
    if (refuse !== undefined) response.writeHead(refuse).end('{"kind":"Status","message":"timeout"}');
    return true;
  });
  const snapshot = await readSnapshot(served);
  expect(podsByNode(served).length).toBeLessThanOrEqual(8);
  expect(snapshot.unseen).toMatchObject([{ what: 'Pod', because: 'timeout' }]);
  expect(firstOf(snapshot)?.confidence).not.toBe('proven');
  // Time was left for the later reads.
  expect(snapshot.age).toMatchObject({ unconfirmed: 0 });
});

it('sends no more requests than the budget allows, and then proves nothing', async () => {
  const served = await serve(clusterOf(512));
  const snapshot = await readSnapshot(served, { ...diagnosisBudget, maxRequests: 200 });
  expect(served.requests).toHaveLength(200);
  expect(snapshot.unseen).toMatchObject([
    { what: 'Pod', because: 'too-many', message: 'after 200 requests' },
  ]);
  expect(firstOf(snapshot)?.confidence).not.toBe('proven');
});

it('lists no nodes when a watch holds them, and lists them when the watch is stale', async () => {
  const objects = clusterOf(8);
  const nodes = objects.filter(({ kind }) => kind === 'Node').map((node) => schemas.Node.parse(node));
  const nodeLists = ({ requests }: ServedCluster): number =>
    requests.filter((path) => path.startsWith('/api/v1/nodes?')).length;

  const kept = await serve(objects);
  const snapshot = await readSnapshot(kept, diagnosisBudget, { nodes: () => ({ nodes, ageMs: 40 }) });
  expect(nodeLists(kept)).toBe(0);
  expect(firstOf(snapshot)).toMatchObject({ cause: 'surge-deadlock', confidence: 'proven' });
  expect(snapshot.age).toMatchObject({ watchedNodesMs: 40, unconfirmed: 0 });
  // The proof needs a fresh read of the node, although the watch has it.
  expect(kept.requests.filter((path) => path.startsWith('/api/v1/nodes/'))).toHaveLength(1);

  const old = await serve(objects);
  expect(
    (await readSnapshot(old, diagnosisBudget, { nodes: () => undefined })).age?.watchedNodesMs,
  ).toBeUndefined();
  expect(nodeLists(old)).toBe(1);
});

it('queues excess requests, rejects aborted ones and continues with the others', async () => {
  let running = 0;
  const call = withReadBudget(
    async () => {
      running += 1;
      expect(running).toBe(1);
      await delay(5);
      running -= 1;
      return { status: 200, body: undefined, retryAfterMs: undefined };
    },
    { ...diagnosisBudget, atOnce: 1 },
  );
  const ended = AbortSignal.abort();
  const answers = await Promise.allSettled([
    call({ path: '/a' }),
    call({ path: '/b', signal: ended }),
    call({ path: '/c' }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

it('reads devices of all namespaces where a class stands for a requested resource, and none otherwise', async () => {
  const pathsOf = async (objects: readonly ApiObject[]): Promise<readonly string[]> => {
    const served = await serve(objects);
    await readSnapshot(served);
    return served.requests
      .map((path) => new URL(path, 'http://x').pathname)
      .filter((path) => path.startsWith('/apis/resource.k8s.io/v1/') && !path.includes('/namespaces/'))
      .map((path) => path.split('/').at(-1) ?? '')
      .sort();
  };
  const cluster = clusterOf(2);
  expect(await pathsOf(cluster)).toEqual(['deviceclasses']);
  const deviceClass = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    metadata: { name: 'gpu', uid: 'gpu', resourceVersion: '7' },
    spec: { extendedResourceName: 'nvidia.com/gpu' },
  } as ApiObject;
  expect(await pathsOf([...cluster, deviceClass])).toEqual([
    'deviceclasses',
    'devicetaintrules',
    'resourceclaims',
    'resourceslices',
  ]);
});
