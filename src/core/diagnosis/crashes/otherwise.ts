import type { Snapshot } from '../../cluster/snapshot.js';
import { groupBy } from '../../collections/collections.js';
import type { Statement } from '../../language/statement.js';
import { type FailureGroup, groupFailures } from './failure-group.js';
import type { PodFailure } from './pod-failure.js';
import { crash } from './text.js';

/** The number of other failures to name. */
const shownEnds = 3;

/**
 * Other ends of the same container, and other reasons for which whole pods fail, in other pods and in pods of
 * other revisions. A finding describes one failure group, so it names these here.
 */
export function otherwise(snapshot: Snapshot, failureGroup: FailureGroup): readonly Statement[] {
  const [first] = failureGroup.podFailures;
  const alike = groupFailures(snapshot).filter(
    ({ container, cause }) =>
      container === failureGroup.container && (container !== '' || cause === failureGroup.cause),
  );
  const end = endOf(first);
  if (end === undefined) return [];
  const others = alike
    .flatMap(({ podFailures }) => podFailures)
    .filter((each) => ![undefined, end].includes(endOf(each)));
  return [...groupBy(others, endOf).values()]
    .sort((a, b) => b.length - a.length)
    .slice(0, shownEnds)
    .map((group) => statementOf(failureGroup.container, group));
}

/** An exit code, or the reason of a whole pod; `undefined` for a container that has not terminated. */
function endOf({ container, run, reason }: PodFailure): string | undefined {
  return container === undefined ? reason : run === undefined ? undefined : String(run.exitCode);
}

function statementOf(container: string, group: readonly [PodFailure, ...PodFailure[]]): Statement {
  const [{ run, reason }] = group;
  const pods = group.map(({ pod }) => pod.metadata.name).sort();
  const nodes = [...new Set(group.flatMap(({ pod }) => pod.spec.nodeName ?? []))].sort();
  return run === undefined
    ? crash('fails-otherwise', { pods, nodes, reason })
    : crash('ends-otherwise', { container, pods, nodes, exitCode: run.exitCode, reason: run.reason });
}
