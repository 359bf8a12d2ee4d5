import type { Snapshot } from '../../cluster/snapshot.js';
import { quotingLogs, type Statement } from '../../language/statement.js';
import type { FailureGroup } from './failure-group.js';
import { crash } from './text.js';

/** So many lines are enough to see what a run said last; the rest is in the log. */
const shown = 6;

/**
 * What the failing container said last, as the reader redacted it. The run that ended comes before the one that goes
 * on. `undefined` where nothing was read.
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
