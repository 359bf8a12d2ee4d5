import type { Statement } from '../../engine/language/statement.js';
import { isIncomplete } from '../../engine/objects/snapshot.js';
import { kindBetweenPods } from '../../engine/objects/unread.js';
import type { CauseId } from './cause-id.js';
import type { Diagnosis, UnseenInDiagnosis } from './diagnosis.js';
import type { Finding } from './finding.js';

/**
 * What a diagnosis is about: its gravest finding, and the others beside it. Notes about the future alone are
 * no trouble, so that a workload with nothing but notes is well.
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
 * Why nobody may conclude that nothing is wrong, although nothing was found. `unread`: what shows how the
 * workload's pods do was not read, or the workload is incomplete and something that might explain it was not
 * read. `unexplained`: everything was read, the workload is incomplete and does not move. `in-part`: some
 * fields of the objects were not recorded. `unchecked`: a rule failed by itself, lacked an
 * object that does not parse, or the budget of work was spent.
 */
export type OpenQuestion =
  | { readonly kind: 'unread'; readonly unread: readonly UnseenInDiagnosis[] }
  | { readonly kind: 'unexplained' }
  | { readonly kind: 'in-part'; readonly unread: readonly UnseenInDiagnosis[] }
  | { readonly kind: 'unchecked' };

/** `unchecked`: nothing was found, and some question is open (`openQuestionOf`). */
type Conclusion = 'found' | 'nothing' | 'unchecked';

type Checked = Pick<
  Diagnosis,
  'findings' | 'defects' | 'workSpent' | 'unseen' | 'completion' | 'workload' | 'isTimeUnknown'
>;

export function conclusionOf(diagnosis: Checked): Conclusion {
  if (mainFindingOf(diagnosis).main !== undefined) return 'found';
  return openQuestionOf(diagnosis) === undefined ? 'nothing' : 'unchecked';
}

/**
 * The note that says why nothing is wrong although people may miss something; `undefined` where something is
 * found or open. Where only fields of objects were not recorded, a note that is at least likely answers.
 */
export function answeringNoteOf(diagnosis: Checked): Finding | undefined {
  const isInPart = openQuestionOf(diagnosis)?.kind === 'in-part';
  if (conclusionOf(diagnosis) !== 'nothing' && !isInPart) return undefined;
  return diagnosis.findings.find(
    ({ isAnswer, confidence }) => isAnswer === true && (!isInPart || confidence !== 'possible'),
  );
}

/** `undefined` where a finding answers, or where nothing is open. */
export function openQuestionOf(diagnosis: Checked): OpenQuestion | undefined {
  if (mainFindingOf(diagnosis).main !== undefined) return undefined;
  const { defects, workSpent, unseen, completion = 'complete' } = diagnosis;
  const unread = unseen.filter(
    (each) =>
      each.because !== 'not-served' &&
      each.because !== 'partly-recorded' &&
      (showsPods(each, diagnosis) || (completion !== 'complete' && each.weakens.length > 0)),
  );
  if (unread.length > 0) return { kind: 'unread', unread };
  const inPart = unseen.filter(isIncompleteForSome);
  const isMalformed = inPart.some(({ because }) => because === 'malformed');
  if (defects.length > 0 || workSpent !== undefined || isMalformed) return { kind: 'unchecked' };
  if (inPart.length > 0) return { kind: 'in-part', unread: inPart };
  return completion === 'stopped' ? { kind: 'unexplained' } : undefined;
}

function showsPods(
  { what, namespace, because, ofOthers }: UnseenInDiagnosis,
  { workload, isTimeUnknown }: Pick<Checked, 'workload' | 'isTimeUnknown'>,
): boolean {
  if (ofOthers === true) return false;
  if (namespace !== '' && namespace !== workload.namespace) return false;
  // At an unknown time, they alone show whether a restart was the last one.
  if (what === 'Event' && isTimeUnknown === true) return because === 'not-recorded';
  return what === 'Pod' || what === workload.kind || what === kindBetweenPods(workload.kind);
}

function isIncompleteForSome({ because, weakens }: UnseenInDiagnosis): boolean {
  return isIncomplete({ because }) && weakens.length > 0;
}

/**
 * Whether a rule says that its cause is absent. A rule that failed, lacked an object that does not parse or
 * is known only in part, or the pods of the workload, or had no budget of work left, does not say so.
 */
export function isAbsent(cause: string, diagnosis: Omit<Checked, 'completion'>): boolean {
  const { findings, defects, workSpent, unseen } = diagnosis;
  return (
    workSpent === undefined &&
    ![...findings, ...defects].some((each) => each.cause === cause) &&
    !unseen.some(
      (each) =>
        (isIncomplete(each) || showsPods(each, diagnosis)) &&
        each.weakens.some((weakened) => weakened === cause),
    )
  );
}

/** What workloads of one cause have in common, as a clause; every cause has it among its sentences. */
export function sharedFailure(cause: CauseId): Statement {
  return { catalogue: cause, key: 'shared-failure', values: {} };
}

/** Facts of several causes that state how long the trouble has lasted, in seconds. */
const durations = [
  'stuckSeconds',
  'waitingSeconds',
  'failingSeconds',
  'sinceSeconds',
  'pausedSeconds',
  'gatedSeconds',
  'deletingSeconds',
  'exceededSeconds',
] as const;

/**
 * For how many seconds the trouble had lasted when it was diagnosed; `undefined` where the cause does not
 * state it.
 */
export function durationSeconds({ facts = {} }: Pick<Finding, 'facts'>): number | undefined {
  return durations.map((name) => facts[name]).find((value) => typeof value === 'number');
}
