import type { Statement } from '../../engine/language/statement.js';
import type { CauseId } from '../findings/cause-id.js';
import type { Diagnosis } from '../findings/diagnosis.js';
import { mainFindingOf } from '../findings/main-finding.js';
import type { FieldChange, UndoPlan } from '../fixes/plan.js';
import type { Approval, SecondStepEnd } from './approval.js';
import { approversOf, reasonsOf } from './approval-transitions.js';
import { originFields, originOf } from './change-origin.js';
import type { Assignee, Incident, Reversal, Verdict } from './incident.js';
import { type ReadyReading, withReading } from './ready-readings.js';

type Fields = Partial<Omit<Incident, 'v' | 'id' | 'version' | 'createdAt'>>;

/** The next version of the record; `undefined` in `fields` removes the field. */
export function next(incident: Incident, at: string, fields: Fields): Incident {
  return { ...incident, ...fields, version: incident.version + 1, updatedAt: at };
}

/** True while a change is between approval and verdict: nothing else may start. */
export function isChanging({ phase }: Incident): boolean {
  return phase === 'applying' || phase === 'verifying';
}

/** Whether work of ours is due: a diagnosis, a decision of more people, a change or its verification. */
export function isUnsettled({ phase }: Pick<Incident, 'phase'>): boolean {
  return phase !== 'settled' && phase !== 'failed' && phase !== 'diagnosed';
}

/** Asked again: a fresh diagnosis, unless a change is under way, which looks by itself. */
export function askedAgain(incident: Incident, at: string): Incident {
  if (incident.successor !== undefined) return incident;
  const occurrences = incident.occurrences + 1;
  if (isChanging(incident) || incident.phase === 'diagnosing') return next(incident, at, { occurrences });
  return next(incident, at, {
    occurrences,
    phase: 'diagnosing',
    look: incident.look + 1,
    approvalId: undefined,
  });
}

/**
 * A person asks for what may be an alert's incident: from here on it is shown like any that people ask for.
 */
export function askedByPerson(incident: Incident, at: string, by?: string): Incident {
  const again = withAsker(incident, askedAgain(incident, at), by, at);
  return again === incident || incident.origin.by !== undefined ? again : { ...again, asked: true };
}

/**
 * A fresh diagnosis that the card's own state asks for, or a person.
 *
 * @param by the person; absent where none asked
 */
export function diagnosisStarted(incident: Incident, at: string, by?: string): Incident {
  if (isChanging(incident) || incident.phase === 'diagnosing' || incident.successor !== undefined) {
    return withAsker(incident, incident, by, at);
  }
  const started = next(incident, at, { phase: 'diagnosing', look: incident.look + 1, approvalId: undefined });
  return withAsker(incident, started, by, at);
}

/**
 * A person asks for a change: a fresh run, whose diagnosis holds the forecast of the change. A diagnosis that
 * is under way knows nothing of the request, so another one takes its place.
 *
 * @returns `undefined` while a change is under way, or when another incident goes on in this one's place
 */
export function changeRequested(
  incident: Incident,
  { by, at, change }: NonNullable<Incident['requested']>,
): Incident | undefined {
  if (isChanging(incident) || incident.successor !== undefined) return undefined;
  const asked = next(incident, at, {
    occurrences: incident.occurrences + 1,
    phase: 'diagnosing',
    look: incident.look + 1,
    approvalId: undefined,
    requested: { by, at, change },
    ...(incident.origin.by === undefined ? { asked: true } : {}),
  });
  return withAsker(incident, asked, by, at);
}

/** The diagnosis of run `look` is there; `undefined` when the record has moved on to another diagnosis. */
export function diagnosed(
  incident: Incident,
  look: number,
  diagnosis: Diagnosis,
  at: string,
  brake?: Statement,
): Incident | undefined {
  if (incident.phase !== 'diagnosing' || incident.look !== look) return undefined;
  const assignee = assigneeAfter(incident, diagnosis);
  const cleared = { failure: undefined, gone: undefined };
  return next(incident, at, { phase: 'diagnosed', diagnosis, assignee, brake, ...cleared });
}

/** The diagnosis could not be made. `isGone`: because the workload does not exist any more. */
export function diagnosisFailed(
  incident: Incident,
  look: number,
  { failure, isGone }: { failure: Statement; isGone: boolean },
  at: string,
): Incident | undefined {
  if (incident.phase !== 'diagnosing' || incident.look !== look) return undefined;
  const ended = isGone ? ({ gone: true, assignee: undefined } as const) : { gone: undefined };
  return next(incident, at, { phase: 'failed', failure, ...ended });
}

/** The approved change takes the incident; `undefined` when another one has it or the diagnosis is old. */
export function changeStarted(incident: Incident, approval: Approval, at: string): Incident | undefined {
  if (incident.look !== approval.look || !mayChange(incident)) return undefined;
  return next(incident, at, {
    phase: 'applying',
    approvalId: approval.id,
    ...beforeFixOf(incident, approval),
    distrusted: undefined,
    change: {
      approvalId: approval.id,
      ...originFields(originOf(approval)),
      remediation: approval.remediation,
      undoes: approval.undoes,
      ...(approval.undoes ? { restored: restoredBy(approval) } : {}),
      approvedBy: approversOf(approval),
      reasons: reasonsOf(approval),
      approvedAt: at,
    },
  });
}

/** What is kept of the incident when this approved fix starts. */
export function beforeFixOf(incident: Incident, { undoes }: Approval): Pick<Incident, 'beforeFix'> {
  const { diagnosis, look } = incident;
  if (undoes || diagnosis === undefined) return {};
  const assignee = assigneeOf(incident);
  return { beforeFix: { look, diagnosis, ...(assignee === undefined ? {} : { assignee }) } };
}

/** A pod template is left out: it can be long, and a rollout shows its revision. */
function restoredBy({ plan }: Approval): readonly FieldChange[] {
  return plan.changes.filter(({ path }) => !path.startsWith('spec.template'));
}

/** The first step of a plan in two steps is made; the second one follows. */
export function firstStepMade(
  incident: Incident,
  { approvalId, at }: { approvalId: string; at: string },
): Incident | undefined {
  const change = changeOf(incident, approvalId);
  if (change === undefined || incident.phase !== 'applying' || change.appliedAt !== undefined)
    return undefined;
  return next(incident, at, { change: { ...change, appliedAt: at } });
}

interface Applied {
  readonly approvalId: string;
  readonly at: string;
  readonly generation: number | undefined;
  readonly undo: UndoPlan | undefined;
  readonly secondStep?: SecondStepEnd | undefined;
  readonly verifyUntil: string;
}

/** The API server took the change. */
export function changeApplied(incident: Incident, applied: Applied): Incident | undefined {
  const change = changeOf(incident, applied.approvalId);
  if (change === undefined || (incident.phase !== 'applying' && !isReportedFailed(incident)))
    return undefined;
  const { failure: _, ...made } = change;
  return next(incident, applied.at, {
    phase: 'verifying',
    approvalId: applied.approvalId,
    change: {
      ...made,
      appliedAt: applied.at,
      generation: applied.generation,
      undo: applied.undo,
      secondStep: applied.secondStep,
      verifyUntil: applied.verifyUntil,
    },
  });
}

/**
 * A worker that did not know of the API server's answer reported that the change was not made, or that this
 * is unknown.
 */
function isReportedFailed({ phase, change }: Incident): boolean {
  const isOver = phase === 'diagnosed' || phase === 'diagnosing';
  return isOver && change?.failure !== undefined && change.appliedAt === undefined;
}

/** The change was not made. */
export function changeFailed(
  incident: Incident,
  approvalId: string,
  failure: Statement,
  at: string,
): Incident | undefined {
  const change = changeOf(incident, approvalId);
  if (change === undefined || incident.phase !== 'applying') return undefined;
  return next(incident, at, { phase: 'diagnosed', approvalId: undefined, change: { ...change, failure } });
}

/** A brake holds changes of the workload back, or (`undefined`) does no longer. */
export function braked(incident: Incident, brake: Statement | undefined, at: string): Incident | undefined {
  if (JSON.stringify(incident.brake) === JSON.stringify(brake)) return undefined;
  return next(incident, at, { brake });
}

/** What the latest diagnosis after the change saw. */
export function verificationSaw(
  incident: Incident,
  approvalId: string,
  seen: {
    readonly at: string;
    readonly progress: Statement;
    readonly replaced?: number | undefined;
    readonly reading?: ReadyReading;
  },
): Incident | undefined {
  const change = changeOf(incident, approvalId);
  if (change === undefined || incident.phase !== 'verifying') return undefined;
  const { at, progress, replaced = change.replaced } = seen;
  const readings = seen.reading === undefined ? change.readings : withReading(incident, seen.reading);
  const isSame = JSON.stringify(change.progress) === JSON.stringify(progress) && readings === change.readings;
  if (isSame) return undefined;
  return next(incident, at, { change: { ...change, progress, replaced, readings } });
}

/** The verdict on the change. */
export function settled(
  incident: Incident,
  approvalId: string,
  outcome: {
    readonly at: string;
    readonly diagnosis: Diagnosis | undefined;
    readonly verdict: Verdict;
    /** With the verdict `reverted`. */
    readonly reversal?: Reversal | undefined;
    /** What the diagnosis that gave the verdict saw; absent where none succeeded. */
    readonly progress?: Statement;
    readonly reading?: ReadyReading;
  },
): Incident | undefined {
  const change = changeOf(incident, approvalId);
  if (change === undefined || incident.phase !== 'verifying') return undefined;
  return next(incident, outcome.at, {
    phase: 'settled',
    approvalId: undefined,
    look: incident.look + 1,
    requested: undefined,
    diagnosis: outcome.diagnosis ?? incident.diagnosis,
    ...(outcome.diagnosis === undefined ? {} : { assignee: assigneeAfter(incident, outcome.diagnosis) }),
    change: {
      ...change,
      ...(outcome.progress === undefined ? {} : { progress: outcome.progress }),
      ...(outcome.reading === undefined ? {} : { readings: withReading(incident, outcome.reading) }),
      verdict: outcome.verdict === 'reverted' ? 'unchanged' : outcome.verdict,
      ...(outcome.verdict === 'reverted' && outcome.reversal !== undefined
        ? { reversal: outcome.reversal }
        : {}),
      verdictAt: outcome.at,
    },
  });
}

/** Whether an approved fix has come to an end, so that a post-mortem can be written. */
export function hasFixResult({ beforeFix, change, pullRequest }: Incident): boolean {
  if (beforeFix === undefined) return false;
  return change?.verdict !== undefined || pullRequest?.mergedAt !== undefined;
}

export function mayChange({ phase, successor }: Incident): boolean {
  if (successor !== undefined) return false;
  return phase === 'diagnosed' || phase === 'awaiting' || phase === 'settled';
}

export function changeOf(incident: Incident, approvalId: string): Incident['change'] {
  return incident.change?.approvalId === approvalId ? incident.change : undefined;
}

/** Everyone who asked for or triggered a diagnosis of the incident, each once. */
export function initiatorsOf({
  origin,
  askers = [],
}: Pick<Incident, 'origin' | 'askers'>): readonly string[] {
  return [...new Set([...(origin.by === undefined ? [] : [origin.by]), ...askers])];
}

/**
 * The record with this person among those who asked: `written` where another transition has just made the
 * next version of `incident`, a version of its own where it has not.
 */
function withAsker(incident: Incident, written: Incident, by: string | undefined, at: string): Incident {
  if (by === undefined || incident.successor !== undefined || initiatorsOf(incident).includes(by)) {
    return written;
  }
  const askers = [...(incident.askers ?? []), by];
  return written === incident
    ? { ...incident, version: incident.version + 1, updatedAt: at, askers }
    : { ...written, askers };
}

/**
 * Whether somebody can be on it: its last diagnosis found a cause, and no other incident goes on in its
 * place.
 */
export function isAssignable(incident: Pick<Incident, 'diagnosis' | 'phase' | 'successor'>): boolean {
  return causeOf(incident) !== undefined;
}

/** Who is on the incident now; nobody once it is over or another cause was found. */
export function assigneeOf(incident: Incident): Assignee | undefined {
  const { assignee } = incident;
  return assignee !== undefined && causeOf(incident) === assignee.cause ? assignee : undefined;
}

/**
 * `by` is on the incident from now on.
 *
 * @param over whom `by` takes it from, or who hands it to `by`; absent where nobody may be on it
 * @returns `undefined` when the incident is over, when `by` is on it already, or when another person than
 *   `over` is
 */
export function assigned(incident: Incident, by: string, at: string, over?: string): Incident | undefined {
  const cause = causeOf(incident);
  const present = assigneeOf(incident)?.by;
  if (cause === undefined || present === by || (present !== undefined && present !== over)) return undefined;
  return { ...incident, version: incident.version + 1, updatedAt: at, assignee: { by, at, cause } };
}

/** `by` is no longer on the incident; `undefined` when they were not. */
export function unassigned(incident: Incident, by: string, at: string): Incident | undefined {
  if (assigneeOf(incident)?.by !== by) return undefined;
  return { ...incident, version: incident.version + 1, updatedAt: at, assignee: undefined };
}

/** The assignee after a fresh diagnosis: the same person as long as the cause is the same. */
function assigneeAfter({ assignee }: Pick<Incident, 'assignee'>, diagnosis: Diagnosis): Assignee | undefined {
  return assignee !== undefined && mainFindingOf(diagnosis).main?.cause === assignee.cause
    ? assignee
    : undefined;
}

function causeOf({
  diagnosis,
  phase,
  successor,
}: Pick<Incident, 'diagnosis' | 'phase' | 'successor'>): CauseId | undefined {
  if (diagnosis === undefined || phase === 'failed' || successor !== undefined) return undefined;
  return mainFindingOf(diagnosis).main?.cause;
}
