import type { Diagnosis } from './diagnosis.js';
import type { Finding } from './finding.js';

/**
 * What a diagnosis is about: its gravest finding, and the others beside it. Notes about the future alone are no
 * trouble, so that a workload with nothing but notes is well.
 */
export function mainFindingOf({ findings }: Pick<Diagnosis, 'findings'>): {
  readonly main: Finding | undefined;
  readonly others: readonly Finding[];
} {
  const [first, ...rest] = findings;
  return first === undefined || first.severity === 'info'
    ? { main: undefined, others: findings }
    : { main: first, others: rest };
}
