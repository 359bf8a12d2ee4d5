import { setMaxListeners } from 'node:events';
import type { ScopeReader } from '../../usecases/people/people-ports.js';
import type { Clock } from '../../usecases/records/process-ports.js';
import type { ClusterConnection } from './cluster-connection.js';
import { diagnosisBudget, type ReadBudget, scanBudgetOf, withReadBudget } from './read-budget.js';
import { readScope } from './read-scope.js';

/** Reads whole namespaces; never writes. */
export function createScopeReader({
  connections,
  clock,
  budget = diagnosisBudget,
}: {
  readonly connections: readonly ClusterConnection[];
  readonly clock: Clock;
  /** Of one diagnosis; a scan may take a multiple of it (`scanBudgetOf`). */
  readonly budget?: ReadBudget;
}): ScopeReader {
  return {
    async read({ cluster, namespace }, needs, signal) {
      const connection = connections.find(({ name }) => name === cluster);
      if (connection === undefined) return { type: 'not-found', what: 'cluster', name: cluster, nearest: [] };
      // A scope is read with many requests at once under one deadline; Node would take their listeners for a leak.
      setMaxListeners(0, signal);
      const call = withReadBudget(connection.call, scanBudgetOf(budget));
      return readScope(call, { cluster, namespace, needs, signal, now: () => clock.now() });
    },
  };
}
