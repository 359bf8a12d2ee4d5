import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import { createPodCache, createPodWatcher } from '#src/edges/kubernetes/crash-watch/pod-cache.js';
import { connectProducer } from '#src/edges/redis/connection.js';
import { createRedisCrashHistory } from '#src/edges/redis/redis-crash-history.js';
import { createKeepCrashHistory } from '#src/service/history/keep-crash-history.js';
import type { Phase } from './messages.js';

/**
 * One process that keeps the history of one cluster and nothing else, or with `--cache` also the pods for
 * diagnoses; it tells its parent what that takes.
 */
const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    redis: { type: 'string' },
    pods: { type: 'string' },
    cache: { type: 'boolean', default: false },
  },
});
const { kubeconfig = '', redis: url = '', pods = '0' } = values;
const keepDays = 7;
let followed = 0;
let written = 0;

function tell(phase: Phase['phase']): void {
  const { user, system } = process.cpuUsage();
  const { rss } = process.memoryUsage();
  for (const _ of [1, 2, 3]) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const told: Phase = {
    phase,
    bytes: heapUsed + external,
    resident: rss,
    processorMs: (user + system) / 1_000,
    clockMs: performance.now(),
    followed,
    written,
  };
  process.send?.(told);
}

const redis = connectProducer({ url, prefix: 'unused' }, () => undefined);
await redis.ping().catch(() => new Promise((resolve) => redis.once('ready', resolve)));
const keep = createKeepCrashHistory(
  {
    watcher: createPodWatcher({
      connections: connectClusters({ kubeconfig, contexts: [] }),
      pageTimeoutMs: 60_000,
      ...(values.cache ? { cache: createPodCache() } : {}),
    }),
    history: createRedisCrashHistory({
      redis,
      prefix: 'bench',
      keepMs: keepDays * 86_400_000,
      leaseMs: 15_000,
      maxPods: 200,
      maxOwners: 5_000,
    }),
    clock: { now: () => new Date() },
    elapsed: () => performance.now(),
    meters: {
      written: (records) => {
        written += records;
      },
      dropped: () => undefined,
      state: (_, { pods: now }) => {
        followed = now;
      },
    },
    say: (news) => process.stderr.write(`${JSON.stringify(news)}\n`),
    pause: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
  },
  {
    namespaces: [''],
    limits: { pods: 200_000, waiting: 20_000 },
    keepSeconds: keepDays * 86_400,
    leaseMs: 15_000,
    writeEveryMs: 1_000,
  },
);
const stopping = new AbortController();
process.on('message', (message) => {
  if (message === 'stop') stopping.abort();
  else tell('done');
});
tell('ready');
const kept = keep('bench', stopping.signal);
while (followed < Number(pods) && !stopping.signal.aborted) await delay(50);
tell('listed');
await kept;
redis.disconnect();
process.disconnect?.();
