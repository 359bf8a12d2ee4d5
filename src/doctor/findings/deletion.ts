import { declaredStatementsOf, type NoValues, type Statement } from '../../engine/language/statement.js';
import type { Namespace } from '../../engine/objects/policy.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import type { Workload } from '../../engine/objects/workload.js';
import type { Finding } from './finding.js';

/** The namespace or the workload, being deleted. */
export type DeletedObject = Workload | Namespace;

/**
 * Which of the namespace and the workload are being deleted, the namespace first, which takes the workload
 * with it. `undefined` where neither is.
 */
export function deletionOf({
  workload,
  index,
}: Snapshot): readonly [DeletedObject, ...DeletedObject[]] | undefined {
  const { namespace } = workload.metadata;
  const around = index.objects.Namespace.filter(({ metadata }) => metadata.name === namespace);
  const [first, ...more] = [...around, workload].filter(
    ({ metadata }) => metadata.deletionTimestamp !== undefined,
  );
  return first === undefined ? undefined : [first, ...more];
}

const state = declaredStatementsOf<{ readonly 'no-fix': NoValues }>('workload-being-deleted');

/** Why nothing is offered for a workload that is being deleted. */
export function noFix(): Statement {
  return state('no-fix', {});
}

/**
 * The same finding without fixes: a deletion cannot be undone, and a change would last until the object is
 * gone.
 */
export function withoutFixes(finding: Finding): Finding {
  const { remediations, withheld } = finding;
  const kinds = [...new Set(remediations.map(({ kind }) => kind))];
  return {
    ...finding,
    remediations: [],
    withheld: [...withheld, ...kinds.map((kind) => ({ kind, because: noFix() }))],
  };
}
