import { setMaxListeners } from 'node:events';
import type { ScopeReader } from '../../usecases/people-ports.js';
import type { Clock } from '../../usecases/ports.js';
import { maxBytesPerScan, withByteBudget } from './byte-budget.js';
import type { ClusterConnection } from './cluster-connection.js';
import { readScope } from './read-scope.js';

/** Reads whole namespaces; never writes. */
export function createScopeReader({
  connections,
  clock,
}: {
  readonly connections: readonly ClusterConnection[];
  readonly clock: Clock;
}): ScopeReader {
  return {
    async read({ cluster, namespace }, needs, signal) {
      const connection = connections.find(({ name }) => name === cluster);
      if (connection === undefined) return { type: 'not-found', what: 'cluster', name: cluster, nearest: [] };
      // A scope is read with many requests at once under one deadline; Node would take their listeners for a leak.
      setMaxListeners(0, signal);
      const call = withByteBudget(connection.call, maxBytesPerScan);
      return readScope(call, { cluster, namespace, needs, signal, now: () => clock.now() });
    },
  };
}
