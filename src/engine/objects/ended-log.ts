import type { Pod } from './pod.js';
import type { ContainerLog } from './snapshot.js';

/** The log of the run of a container that ended last, or of its current run where no other was read. */
export function endedLogOf(
  logs: readonly ContainerLog[],
  { metadata: { namespace, name } }: Pod,
  container: string | undefined,
): ContainerLog | undefined {
  const own = logs.filter(
    (log) => log.namespace === namespace && log.pod === name && log.container === container,
  );
  return own.find(({ previous }) => previous) ?? own[0];
}
