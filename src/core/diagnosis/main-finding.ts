import type { Diagnosis, UnseenInDiagnosis } from './diagnosis.js';
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

/**
 * `unchecked`: nothing was found, and some rule failed by itself, lacked an object that does not parse, or the budget of
 * work was spent. What was not checked is neither found nor excluded, so nobody may conclude that nothing is wrong.
 */
export type Conclusion = 'found' | 'nothing' | 'unchecked';

type Checked = Pick<Diagnosis, 'findings' | 'defects' | 'workSpent' | 'unseen'>;

export function conclusionOf(diagnosis: Checked): Conclusion {
  if (mainFindingOf(diagnosis).main !== undefined) return 'found';
  const { defects, workSpent, unseen } = diagnosis;
  const areAllChecked = defects.length === 0 && workSpent === undefined && !unseen.some(isMalformedForSome);
  return areAllChecked ? 'nothing' : 'unchecked';
}

function isMalformedForSome({ because, weakens }: UnseenInDiagnosis): boolean {
  return because === 'malformed' && weakens.length > 0;
}

/**
 * Whether a rule says that its cause is absent. A rule that failed, lacked an object that does not parse, or had no
 * budget of work left, does not say so.
 */
export function isAbsent(cause: string, { findings, defects, workSpent, unseen }: Checked): boolean {
  return (
    workSpent === undefined &&
    ![...findings, ...defects].some((each) => each.cause === cause) &&
    !unseen.some(
      (each) => each.because === 'malformed' && each.weakens.some((weakened) => weakened === cause),
    )
  );
}
