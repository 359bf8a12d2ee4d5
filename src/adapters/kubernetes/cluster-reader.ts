import { findInClusters } from '../../usecases/clusters/find-in-clusters.js';
import type { ClusterReader, NotFound } from '../../usecases/diagnose/cluster-reader.js';
import type { Clock } from '../../usecases/records/process-ports.js';
import type { ClusterConnection } from './cluster-connection.js';
import { createClusterNames } from './cluster-names.js';
import type { PodCache } from './crash-watch/pod-cache.js';
import type { NodeCache } from './node-watch/node-cache.js';
import { diagnosisBudget, type ReadBudget, withReadBudget } from './read-budget.js';
import type { ConfigMetadata } from './read-config-metadata.js';
import { readScope } from './read-scope.js';
import { readSnapshot } from './read-snapshot.js';
import { manyRequests, within } from './within.js';

export interface ClusterReaderDeps {
  readonly connections: readonly ClusterConnection[];
  readonly clock: Clock;
  /** Deadline of a whole look, in milliseconds. */
  readonly timeoutMs: number;
  /** Deadline for finding a name, in milliseconds: somebody waits for it. */
  readonly findTimeoutMs: number;
  /** Of one diagnosis; `diagnosisBudget` when absent. */
  readonly budget?: ReadBudget;
  /** Of one scope; without it a scope may take as many reads as it needs. */
  readonly scopeBudget?: ReadBudget;
  /** Nodes that a watch keeps: they are not listed then. */
  readonly nodes?: Pick<NodeCache, 'nodes'>;
  /** Pods that a watch keeps: those of most nodes are not listed then. */
  readonly pods?: Pick<PodCache, 'podsByNode'>;
  /** None when left out. */
  readonly configMetadata?: ConfigMetadata;
}

/**
 * Reads clusters; never writes. Each read has a deadline, and a cluster that is down delays only its own
 * answers.
 */
export function createClusterReader(deps: ClusterReaderDeps): ClusterReader {
  const {
    connections,
    clock,
    timeoutMs,
    findTimeoutMs,
    budget = diagnosisBudget,
    scopeBudget,
    nodes,
    pods,
    configMetadata = [],
  } = deps;
  const connectionOf = (cluster: string): ClusterConnection | NotFound =>
    connections.find(({ name }) => name === cluster) ?? {
      type: 'not-found',
      what: 'cluster',
      name: cluster,
      nearest: [],
    };
  const names = connections.map(createClusterNames);
  return {
    clusters: connections.map(({ name }) => name),
    find: (query, sight, signal) => findInClusters(names, query, sight, within(findTimeoutMs, signal)),
    async snapshot(ref, needs, signal) {
      const connection = connectionOf(ref.cluster);
      if ('type' in connection) return connection;
      return readSnapshot(withReadBudget(connection.call, budget), ref, needs, {
        signal: within(timeoutMs, signal),
        now: () => clock.now(),
        watchedNodes: () => nodes?.nodes(ref.cluster),
        watchedPods: async (notOlderThan) => pods?.podsByNode(ref.cluster, notOlderThan),
        configMetadata,
      });
    },
    async scope(query, needs, signal, onProgress) {
      const connection = connectionOf(query.cluster);
      if ('type' in connection) return connection;
      const call = scopeBudget === undefined ? connection.call : withReadBudget(connection.call, scopeBudget);
      manyRequests(signal);
      return readScope(call, query, needs, { signal, now: () => clock.now(), onProgress });
    },
  };
}
