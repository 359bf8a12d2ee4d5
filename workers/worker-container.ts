import { createPodCache } from '../src/adapters/kubernetes/crash-watch/pod-cache.js';
import { createPodWatcher } from '../src/adapters/kubernetes/crash-watch/pod-watcher.js';
import { createNodeCache, type NodeCache } from '../src/adapters/kubernetes/node-watch/node-cache.js';
import { createCandidateReader } from '../src/adapters/kubernetes/sentinel/candidate-reader.js';
import { createCandidateWatcher } from '../src/adapters/kubernetes/sentinel/candidate-watcher.js';
import { createMetrics } from '../src/adapters/metrics/metrics.js';
import { joinMs } from '../src/adapters/redis/redis-incident-store.js';
import { createRedisRootClaims } from '../src/adapters/redis/redis-root-claims.js';
import { createRedisSentinelStore } from '../src/adapters/redis/redis-sentinel-store.js';
import type { Config } from '../src/config.js';
import { type Container, clustersOf, createContainer, leaseMs } from '../src/container.js';
import type { PodWatcher } from '../src/usecases/history/crash-history-ports.js';
import type { RootClaims } from '../src/usecases/records/incident-store.js';
import type {
  CandidateReader,
  CandidateWatcher,
  SentinelStore,
} from '../src/usecases/sentinel/sentinel-ports.js';

/** What only workers need: the watches of clusters, and the stores of the sentinel and of groups. */
export interface WorkerContainer extends Container {
  readonly podWatcher: PodWatcher;
  readonly nodeCache: NodeCache;
  readonly candidateWatcher: CandidateWatcher;
  readonly candidates: CandidateReader;
  readonly sentinel: SentinelStore;
  readonly roots: RootClaims;
}

/** @throws when the kubeconfig cannot be used */
export function createWorkerContainer(config: Config): WorkerContainer {
  const metrics = createMetrics();
  const { connections } = clustersOf(config, metrics);
  const timeoutMs = config.readTimeoutSeconds * 1_000;
  const nodeCache = createNodeCache({ connections, pageTimeoutMs: timeoutMs });
  const podCache = createPodCache();
  const shared = createContainer(config, 'worker', metrics, {
    connections,
    nodes: nodeCache,
    pods: podCache,
  });
  const stored = { redis: shared.redis, prefix: config.redisPrefix };
  return {
    ...shared,
    nodeCache,
    podWatcher: createPodWatcher({ connections, cache: podCache, pageTimeoutMs: timeoutMs }),
    candidateWatcher: createCandidateWatcher({ connections, pageTimeoutMs: timeoutMs }),
    candidates: createCandidateReader({ connections, timeoutMs }),
    sentinel: createRedisSentinelStore({ ...stored, leaseMs, ttlMs: config.keepDays * 86_400_000 }),
    roots: createRedisRootClaims({ ...stored, keepMs: joinMs }),
  };
}
