import type { DestinationStream } from 'pino';
import { createPodCache, createPodWatcher } from '../src/edges/kubernetes/crash-watch/pod-cache.js';
import { createNodeCache, type NodeCache } from '../src/edges/kubernetes/node-watch/node-cache.js';
import {
  createCandidateReader,
  createCandidateWatcher,
} from '../src/edges/kubernetes/sentinel/candidate-watcher.js';
import { createMetrics } from '../src/edges/metrics/metrics.js';
import { createRedisRootClaims } from '../src/edges/redis/redis-claims.js';
import { joinMs } from '../src/edges/redis/redis-incident-store.js';
import { createRedisSentinelStore } from '../src/edges/redis/redis-sentinel-store.js';
import { clustersOf } from '../src/roots/cluster-links.js';
import { type Container, createContainer, leaseMs } from '../src/roots/container.js';
import type { PodWatcher } from '../src/service/history/crash-history-ports.js';
import type { RootClaims } from '../src/service/records/incident-store.js';
import type {
  CandidateReader,
  CandidateWatcher,
  SentinelStore,
} from '../src/service/sentinel/sentinel-ports.js';
import type { Config } from '../src/settings/config.js';

/** What only workers need: the watches of clusters, and the stores of the sentinel and of groups. */
export interface WorkerContainer extends Container {
  readonly podWatcher: PodWatcher;
  readonly nodeCache: NodeCache;
  readonly candidateWatcher: CandidateWatcher;
  readonly candidates: CandidateReader;
  readonly sentinel: SentinelStore;
  readonly roots: RootClaims;
}

/**
 * @param output of log lines and decisions, in place of standard output
 * @throws when the kubeconfig cannot be used
 */
export function createWorkerContainer(config: Config, output?: DestinationStream): WorkerContainer {
  const metrics = createMetrics();
  const { connections } = clustersOf(config, metrics);
  const timeoutMs = config.readTimeoutSeconds * 1_000;
  const nodeCache = createNodeCache({ connections, pageTimeoutMs: timeoutMs });
  const podCache = createPodCache();
  const watched = { connections, nodes: nodeCache, pods: podCache };
  const shared = createContainer(config, 'worker', metrics, watched, output);
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
