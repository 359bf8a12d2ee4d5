import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import { createClusterReader } from '#src/edges/kubernetes/cluster-reader.js';
import { createPodCache, createPodWatcher } from '#src/edges/kubernetes/crash-watch/pod-cache.js';
import { createEngine } from '#src/service/create-engine.js';
import type { ApiObject } from '../../../bench/generated-cluster/api-object.js';
import { deadlocked, gpuDeadlock } from '../../../bench/generated-cluster/deadlock.js';
import { generateCluster } from '../../../bench/generated-cluster/generate-cluster.js';
import { kubeconfigYaml } from '../../../demo/cluster/kubeconfig.js';
import { serveCluster } from './served-cluster.js';

const engine = createEngine();
/** Few enough that all pods that hold a GPU are read again. */
const fewCandidates = 6;
/** So many that a watch which is behind is worth waiting for. */
const manyCandidates = 18;
const shapeWith = (candidates: number) => ({
  seed: 1,
  nodes: 20,
  pods: 60,
  zones: 3,
  deadlocks: [gpuDeadlock(candidates)],
});

/** A watch counts as silent after a second, in milliseconds. */
const longerThanRecent = 1_100;

const nodeOf = ({ spec }: ApiObject) => (spec as { readonly nodeName?: string } | undefined)?.nodeName;
const byNode = /^spec\.nodeName=([^,]+)$/;

/**
 * A Deployment that waits for the GPU of its own old pod, while pods of others hold all other GPUs, at an
 * HTTP server; and a worker whose watch of the pods the test can hold back.
 */
async function startRig(namespace = '', candidates = fewCandidates) {
  let version = 100;
  const objects = [...generateCluster(shapeWith(candidates))].map((object) => ({
    ...object,
    metadata: { ...object.metadata, resourceVersion: '7' },
  }));
  const held: string[] = [];
  let isHeldBack = false;
  let isBroken = false;
  let watching: ServerResponse | undefined;
  const watches: URLSearchParams[] = [];
  /** As the API server sends it before a watch ends: what happened until then comes first. */
  const sendBookmark = (response: ServerResponse): void => {
    releaseWatch();
    const object = { kind: 'Pod', metadata: { resourceVersion: String(version) } };
    response.write(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`);
  };
  /** Called before each request of a diagnosis is answered. */
  let before = (_path: string): void => undefined;
  const served = await serveCluster(
    objects,
    (url, response) => {
      if (!url.searchParams.has('watch')) {
        before(`${url.pathname}${url.search}`);
        return false;
      }
      if (isBroken) response.writeHead(503).end('{"kind":"Status"}');
      else response.flushHeaders();
      watching = response;
      watches.push(url.searchParams);
      const isShort = Number(url.searchParams.get('timeoutSeconds')) < 5;
      if (isShort) setTimeout(() => sendBookmark(response), 50);
      return true;
    },
    () => version,
  );
  onTestFinished(() => served.close());
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-watched-pods-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const kubeconfig = join(folder, 'kubeconfig');
  const entry = { name: 'served', url: served.url, user: 'admin', token: 'admin' };
  writeFileSync(kubeconfig, kubeconfigYaml([entry]), { mode: 0o600 });

  const sendEvent = (type: string, object: ApiObject): void => {
    version += 1;
    const metadata = { ...object.metadata, resourceVersion: String(version) };
    held.push(`${JSON.stringify({ type, object: { ...object, metadata } })}\n`);
    if (!isHeldBack) releaseWatch();
  };
  const releaseWatch = (): void => {
    isHeldBack = false;
    for (const line of held.splice(0)) watching?.write(line);
  };

  const connections = connectClusters({ kubeconfig, contexts: [] });
  const cache = createPodCache();
  const watcher = createPodWatcher({ connections, cache, pageTimeoutMs: 20_000, firstWaitMs: 60_000 });
  const stopping = new AbortController();
  let onInterrupted = (): void => undefined;
  const interrupted = new Promise<void>((resolve) => {
    onInterrupted = resolve;
  });
  await new Promise<void>((inStep) => {
    const nothing = (): void => undefined;
    const handlers = { listBegins: nothing, listEnds: nothing, pod: nothing, inStep, trouble: onInterrupted };
    const watched = watcher.watch('served', namespace, handlers, stopping.signal);
    onTestFinished(async () => {
      stopping.abort();
      await watched;
    });
  });

  const reader = createClusterReader({
    connections,
    clock: { now: () => new Date('2026-11-20T09:30:00Z') },
    timeoutMs: 20_000,
    findTimeoutMs: 20_000,
    pods: cache,
  });
  const isHolder = (object: ApiObject): boolean =>
    object.kind === 'Pod' &&
    object.metadata.namespace !== deadlocked.namespace &&
    JSON.stringify(object.spec).includes('nvidia.com/gpu');
  return {
    releaseWatch,
    watches,
    /** Something else than a pod changes. */
    changeOther(): void {
      version += 1;
    },
    holdWatchBack(): void {
      isHeldBack = true;
    },
    async breakWatch(): Promise<void> {
      isBroken = true;
      watching?.destroy();
      await interrupted;
    },
    before(act: (path: string) => void): void {
      before = act;
    },
    /** Deletes a pod that holds a GPU. */
    deleteHolder(): ApiObject {
      const [holder] = objects.splice(objects.findLastIndex(isHolder), 1);
      if (holder === undefined) throw new Error('no pod holds a GPU');
      sendEvent('DELETED', holder);
      return holder;
    },
    addPod(pod: ApiObject): void {
      const metadata = { ...pod.metadata, resourceVersion: String(version + 1) };
      objects.push({ ...pod, metadata });
      sendEvent('ADDED', pod);
    },
    async diagnose() {
      const from = served.requests.length;
      const read = await reader.snapshot({ cluster: 'served', ...deadlocked }, engine.needs);
      if (read.type !== 'snapshot') throw new Error(JSON.stringify(read));
      const [first] = engine.diagnose(read.snapshot).findings;
      const listed = served.requests.slice(from).flatMap((path) => {
        const { searchParams } = new URL(path, 'http://served');
        return byNode.exec(searchParams.get('fieldSelector') ?? '')?.[1] ?? [];
      });
      return {
        isProven: first?.cause === 'surge-deadlock' && first.confidence === 'proven',
        listed,
        age: read.snapshot.age,
        home: read.snapshot.index.objects.Pod.filter(
          ({ metadata }) => metadata.namespace === deadlocked.namespace,
        ).flatMap((pod) => pod.spec.nodeName ?? []),
      };
    },
  };
}

it('proves a deadlock with the watched pods, and lists only the pods of the node that the proof needs', async () => {
  const { diagnose } = await startRig();
  const { isProven, listed, age, home } = await diagnose();
  expect(isProven).toBe(true);
  expect(listed).toEqual(home);
  expect(home).toHaveLength(1);
  expect(age).toMatchObject({ watchedPodsOn: fewCandidates - 1, unconfirmed: 0 });
});

it('lists the pods of every candidate when the watch is behind: a deleted pod frees its GPU, and nothing is proven', async () => {
  const { diagnose, deleteHolder, holdWatchBack, releaseWatch } = await startRig();
  holdWatchBack();
  deleteHolder();
  const behind = await diagnose();
  expect(behind.isProven).toBe(false);
  expect(behind.listed).toHaveLength(fewCandidates);
  expect(behind.age?.watchedPodsOn).toBeUndefined();

  releaseWatch();
  const inStep = await diagnose();
  expect(inStep.isProven).toBe(false);
  expect(inStep.listed).toHaveLength(1);
});

it('lists the pods of every candidate when the watch is behind: a new pod takes the GPU, and the deadlock is proven', async () => {
  const { diagnose, deleteHolder, addPod, holdWatchBack } = await startRig();
  const holder = deleteHolder();
  expect((await diagnose()).isProven).toBe(false);
  holdWatchBack();
  addPod(holder);
  const behind = await diagnose();
  expect(behind.isProven).toBe(true);
  expect(behind.listed).toHaveLength(fewCandidates);
});

it('waits for the event of a pod that was deleted before the pods were listed', async () => {
  const { diagnose, deleteHolder, holdWatchBack, releaseWatch, before } = await startRig();
  holdWatchBack();
  deleteHolder();
  before((path) => {
    // The last list of pods before those of the nodes.
    if (path.includes('spec.nodeName%3D%2C')) setTimeout(releaseWatch, 20);
  });
  const { isProven, listed } = await diagnose();
  expect(isProven).toBe(false);
  expect(listed).toHaveLength(1);
});

it.each(['before the pods of its node are listed', 'after the pods of its node are listed'])(
  'proves nothing when a pod that holds a GPU is deleted %s',
  async (moment) => {
    const { diagnose, deleteHolder, holdWatchBack, before } = await startRig();
    const isIt = moment.startsWith('after') ? /\/pods\/inference/ : /\/pods\?.*spec\.nodeName%3Dnode/;
    let holder: ApiObject | undefined;
    holdWatchBack();
    before((path) => {
      if (isIt.test(path)) holder ??= deleteHolder();
    });
    const { isProven, listed } = await diagnose();
    expect(nodeOf(holder as ApiObject)).toBeDefined();
    expect(listed).toHaveLength(1);
    expect(isProven).toBe(false);
  },
);

it('renews a watch that has been silent, and lists only the pods of the node that the proof needs', async () => {
  const { diagnose, changeOther, watches } = await startRig('', manyCandidates);
  changeOther();
  await delay(longerThanRecent);
  const { isProven, listed, age } = await diagnose();
  expect(isProven).toBe(true);
  expect(listed).toHaveLength(1);
  expect(age).toMatchObject({ watchedPodsOn: manyCandidates - 1 });
  expect(watches).toHaveLength(2);
});

it('proves nothing when a silent watch brings a deletion only after it is renewed', async () => {
  const { diagnose, deleteHolder, holdWatchBack } = await startRig('', manyCandidates);
  holdWatchBack();
  deleteHolder();
  await delay(longerThanRecent);
  const { isProven, listed } = await diagnose();
  expect(isProven).toBe(false);
  expect(listed).toHaveLength(1);
});

it('lists the pods of every candidate when the watch is interrupted, although nothing has changed', async () => {
  const { diagnose, breakWatch } = await startRig();
  await breakWatch();
  const { isProven, listed } = await diagnose();
  expect(isProven).toBe(true);
  expect(listed).toHaveLength(fewCandidates);
});

it('lists the pods of every candidate when the watch covers one namespace', async () => {
  const { diagnose } = await startRig(deadlocked.namespace);
  const { isProven, listed } = await diagnose();
  expect(isProven).toBe(true);
  expect(listed).toHaveLength(fewCandidates);
});
