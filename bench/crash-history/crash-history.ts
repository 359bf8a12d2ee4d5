import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import type { Observation } from '#src/doctor/crash-history/observe-pod.js';
import { createRedisCrashHistory } from '#src/edges/redis/redis-crash-history.js';
import { keptRuns } from '#src/engine/objects/pod-record.js';
import { kubeconfigYaml } from '../../demo/cluster/kubeconfig.js';
import { startPrivateRedis } from '../../demo/redis/private-redis.js';
import { type ApiObject, uidOf } from '../generated-cluster/api-object.js';
import { gpuDeadlock } from '../generated-cluster/deadlock.js';
import { generateCluster } from '../generated-cluster/generate-cluster.js';
import { bytes, count, megabytes, ms, type Table } from '../report/table.js';
import { Phase } from './messages.js';
import { type PodServer, servePods } from './pod-server.js';

const pods = 50_000;
const changesASecond = 100;
const seconds = 30;

/** What the watch of a large cluster takes: memory, processor, and room in Redis. */
export async function measureCrashHistory(): Promise<Table> {
  const watch = await measureWatch(false);
  const caching = await measureWatch(true);
  const [well, crashed] = [await bytesInRedis(0), await bytesInRedis(keptRuns)];
  return {
    id: 'history',
    title: 'The crash history of a large cluster',
    about: `A process that does nothing else, ${pods.toLocaleString('en')} pods listed over HTTP, then ${changesASecond} changes a second for ${seconds} s (half of them of no interest, a third crashes, the rest pods that end and begin). Memory of a pod: heap and buffers after the list, less those before.`,
    columns: [''],
    rows: [
      { name: 'memory of a pod that is followed', figures: [bytes(watch.bytesAPod, 200)] },
      {
        name: 'memory of a pod that is kept for diagnoses besides',
        figures: [bytes(caching.bytesAPod - watch.bytesAPod, 1_500)],
      },
      { name: 'resident memory of the process with all of them', figures: [megabytes(watch.resident)] },
      { name: 'the same when pods are kept', figures: [megabytes(caching.resident)] },
      { name: 'processor for the list', figures: [ms(watch.listMs)] },
      { name: 'the same when pods are kept', figures: [ms(caching.listMs)] },
      {
        name: `processor a second at ${changesASecond} changes a second`,
        figures: [ms(watch.msASecond, 100)],
      },
      { name: 'the same when pods are kept', figures: [ms(caching.msASecond, 100)] },
      { name: 'records written', figures: [count(watch.written)] },
      { name: 'Redis for a pod that ended well', figures: [bytes(well)] },
      { name: `Redis for a pod with ${keptRuns} crashes`, figures: [bytes(crashed)] },
    ],
  };
}

async function measureWatch(isCaching: boolean) {
  const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-bench-'));
  const redis = await startPrivateRedis({ url: process.env.REDIS_URL, appendOnly: true });
  const objects = podsOf(pods);
  const server = await servePods(objects.map((pod) => JSON.stringify(pod)));
  try {
    const kubeconfig = join(folder, 'kubeconfig');
    const entry = { name: 'bench', url: server.url, user: 'admin', token: 'admin' };
    await writeFile(kubeconfig, kubeconfigYaml([entry]), { mode: 0o600 });
    const child = fork(
      fileURLToPath(new URL('run.ts', import.meta.url)),
      [
        ...['--kubeconfig', kubeconfig, '--redis', redis.url, '--pods', String(objects.length)],
        ...(isCaching ? ['--cache'] : []),
      ],
      { execArgv: ['--expose-gc', '--import', 'tsx'] },
    );
    const next = async (): Promise<Phase> => Phase.parse((await once(child, 'message'))[0]);
    const ready = await next();
    const listed = await next();
    await change(server, objects);
    child.send('tell');
    const done = await next();
    child.send('stop');
    await once(child, 'exit');
    return {
      bytesAPod: (listed.bytes - ready.bytes) / objects.length,
      resident: listed.resident,
      listMs: listed.processorMs - ready.processorMs,
      msASecond: (done.processorMs - listed.processorMs) / ((done.clockMs - listed.clockMs) / 1_000),
      written: done.written,
    };
  } finally {
    server.close();
    await redis.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function podsOf(number: number): readonly ApiObject[] {
  const shape = { seed: 1, nodes: 5_000, pods: number, deadlocks: [gpuDeadlock()], zones: 3 };
  return [...generateCluster(shape)].filter(({ kind, spec = {} }) => kind === 'Pod' && 'nodeName' in spec);
}

/** So many changes a second, the same in every second. */
async function change(server: PodServer, objects: readonly ApiObject[]): Promise<void> {
  let number = 0;
  for (let second = 0; second < seconds; second += 1) {
    const began = Date.now();
    const events = Array.from({ length: changesASecond }, (_, at) => {
      number += 1;
      const pod = objects[(number * 7) % objects.length] as ApiObject;
      if (at < changesASecond / 2) return { type: 'MODIFIED', object: pod };
      if (at < (changesASecond * 5) / 6) return { type: 'MODIFIED', object: crashedOnce(pod) };
      if (at % 2 === 0) return { type: 'DELETED', object: pod };
      return { type: 'ADDED', object: { ...pod, metadata: { ...pod.metadata, uid: uidOf(9, number) } } };
    });
    server.send(events);
    await delay(Math.max(0, 1_000 - (Date.now() - began)));
  }
}

function crashedOnce(pod: ApiObject): ApiObject {
  const end = Math.floor(Date.now() / 1_000) * 1_000;
  const time = (at: number): string => new Date(at).toISOString();
  const terminated = { exitCode: 139, reason: 'Error', startedAt: time(end - 60_000), finishedAt: time(end) };
  const status = pod.status as { readonly containerStatuses: readonly object[] };
  const containerStatuses = status.containerStatuses.map((each) => ({
    ...each,
    restartCount: 1,
    lastState: { terminated },
  }));
  return { ...pod, status: { ...status, containerStatuses } };
}

/** Bytes that Redis takes for each of 10,000 records of pods that ended, with so many crashes each. */
async function bytesInRedis(crashes: number): Promise<number> {
  const [owners, each] = [100, 100];
  const server = await startPrivateRedis();
  const redis = new Redis(server.url);
  try {
    const store = createRedisCrashHistory({
      redis,
      prefix: 'bench',
      keepMs: 86_400_000,
      leaseMs: 600_000,
      maxPods: 200,
      maxOwners: 5_000,
    });
    const token = (await store.lease('bench').acquire()) ?? 0;
    const used = async (): Promise<number> =>
      Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
    const before = await used();
    const now = new Date();
    for (let owner = 0; owner < owners; owner += 1) {
      const records = Array.from({ length: each }, (_, at) => record(owner, at, crashes, now));
      await store.write('bench', token, records, now);
    }
    return ((await used()) - before) / (owners * each);
  } finally {
    redis.disconnect();
    await server.stop();
  }
}

function record(owner: number, pod: number, crashes: number, now: Date): Observation {
  const endedAt = Math.floor(now.getTime() / 1_000);
  const runs = Array.from({ length: crashes }, (_, n) => ({
    n,
    startedAt: endedAt - 3_600 + n * 60,
    finishedAt: endedAt - 3_570 + n * 60,
    exitCode: 139,
    reason: 'Error',
    stopped: false,
  }));
  const [first] = runs;
  return {
    owner: uidOf(7, owner),
    record: {
      v: 1,
      uid: uidOf(8, owner * 1_000 + pod),
      name: crashes === 0 ? '' : `service-${owner}-5c96d8f7b-${pod}`,
      node: `node-${String(pod).padStart(4, '0')}`,
      revision: '5c96d8f7b',
      startedAt: endedAt - 7_200,
      endedAt,
      containers:
        first === undefined
          ? []
          : [
              {
                name: 'server',
                role: 'main',
                restarts: crashes,
                runs,
                firstBad: { finishedAt: first.finishedAt, seconds: 30 },
              },
            ],
    },
  };
}
