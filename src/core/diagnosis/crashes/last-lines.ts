import type { Snapshot } from '../../cluster/snapshot.js';
import { quotingLogs, type Statement } from '../../language/statement.js';
import { type FailureGroup, groupFailures } from './failure-group.js';
import { crash } from './text.js';

/** The number of log lines to show; the rest is in the log. */
const shown = 6;

/**
 * The last log lines of the failing container, already redacted. The log of the terminated run is preferred to that of
 * the current run. `undefined` when no log was read.
 */
export function lastLinesOf(
  { logs }: Snapshot,
  { podFailures, container }: FailureGroup,
): { readonly lines: readonly string[]; readonly says: Statement } | undefined {
  for (const { pod } of podFailures) {
    const { namespace, name } = pod.metadata;
    const own = logs.filter(
      (log) => log.namespace === namespace && log.pod === name && log.container === container,
    );
    const log = own.find(({ previous }) => previous) ?? own[0];
    const lines = log?.lines.filter((line) => line.trim() !== '').slice(-shown) ?? [];
    if (lines.length > 0) {
      return { lines, says: quotingLogs(crash('last-lines', { pod: name, container, lines })) };
    }
  }
  return undefined;
}

/** What a container that fails on these nodes logged last; nothing where no log was read. */
export function lastLinesOn(snapshot: Snapshot, nodes: readonly string[]): readonly Statement[] {
  for (const failureGroup of groupFailures(snapshot)) {
    const [first, ...others] = failureGroup.podFailures.filter(({ pod }) =>
      nodes.includes(pod.spec.nodeName ?? ''),
    );
    const lines = first && lastLinesOf(snapshot, { ...failureGroup, podFailures: [first, ...others] });
    if (lines !== undefined) return [lines.says];
  }
  return [];
}
