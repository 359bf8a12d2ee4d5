import type { Snapshot } from '../../cluster/snapshot.js';
import type { Statement } from '../../language/statement.js';
import type { Ailment } from './ailment.js';
import { type Sickness, sicknessesOf } from './sickness.js';
import { crash } from './text.js';

/** More kinds of ends make a list that nobody reads. */
const shownEnds = 3;

/**
 * Other ends of the same container, and other reasons for which whole pods fail: in pods beside those that decided,
 * and in pods of other revisions. A finding describes one failure, and these would go unsaid.
 */
export function otherwise(snapshot: Snapshot, sickness: Sickness): readonly Statement[] {
  const [first] = sickness.ailments;
  const alike = sicknessesOf(snapshot).filter(
    ({ container, cause }) =>
      container === sickness.container && (container !== '' || cause === sickness.cause),
  );
  const groups = new Map<string, [Ailment, ...Ailment[]]>();
  for (const ailment of alike.flatMap(({ ailments }) => ailments)) {
    const key = endOf(ailment);
    if (key === undefined || key === endOf(first) || endOf(first) === undefined) continue;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [ailment]);
    else known.push(ailment);
  }
  return [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .slice(0, shownEnds)
    .map((group) => statementOf(sickness.container, group));
}

/** An exit code, or the reason of a whole pod; none of a container that has not ended. */
function endOf({ container, run, reason }: Ailment): string | undefined {
  return container === undefined ? reason : run === undefined ? undefined : String(run.exitCode);
}

function statementOf(container: string, group: readonly [Ailment, ...Ailment[]]): Statement {
  const [{ run, reason }] = group;
  const pods = group.map(({ pod }) => pod.metadata.name).sort();
  const nodes = [...new Set(group.flatMap(({ pod }) => pod.spec.nodeName ?? []))].sort();
  return run === undefined
    ? crash('fails-otherwise', { pods, nodes, reason })
    : crash('ends-otherwise', { container, pods, nodes, exitCode: run.exitCode, reason: run.reason });
}
