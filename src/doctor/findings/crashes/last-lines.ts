import { quotingLogs, type Statement } from '../../../engine/language/statement.js';
import { endedLogOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { decidingLineOf, withoutFrames } from '../../log-lines/deciding-line.js';
import { type FailureGroup, groupFailures } from './failure-group.js';
import { crash } from './text.js';

/** The number of log lines to show; the rest is in the log. */
const shown = 6;

/** What the failing container logged at its end. */
export interface LastLines {
  readonly lines: readonly string[];
  /** The line that names the reason; `undefined` where no line reports a failure. */
  readonly decides: string | undefined;
  readonly says: Statement;
}

/**
 * The lines of the failing container that name the reason, already redacted, or its last ones where none
 * does. The log of the terminated run is preferred to that of the current run. `undefined` when neither a log
 * nor a termination message was read.
 */
export function lastLinesOf(
  { logs }: Snapshot,
  { podFailures, container }: Pick<FailureGroup, 'podFailures' | 'container'>,
): LastLines | undefined {
  for (const { pod, run } of podFailures) {
    const { name } = pod.metadata;
    const log = endedLogOf(logs, pod, container);
    // A termination message is written for readers; it stands in for a log that was not read.
    const text = log?.lines ?? run?.message.split('\n') ?? [];
    const written = text.filter((line) => line.trim() !== '');
    if (written.length === 0) continue;
    const reason = decidingLineOf(written);
    if (reason !== undefined) {
      const { lines, line } = reason;
      return {
        lines,
        decides: line,
        says: quotingLogs(crash('log-reason', { pod: name, container, lines })),
      };
    }
    const lines = withoutFrames(written).slice(-shown);
    return {
      lines,
      decides: undefined,
      says: quotingLogs(crash('last-lines', { pod: name, container, lines })),
    };
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
