import type { CauseId } from '../../doctor/findings/cause-id.js';
import type { Diagnosis, UnseenInDiagnosis } from '../../doctor/findings/diagnosis.js';
import type { Plan } from '../../doctor/fixes/plan.js';
import { isSame } from '../../doctor/fixes/plan.js';
import type { Remediation } from '../../doctor/fixes/remediation.js';
import { isRequestedId } from '../../doctor/fixes/requested-change.js';
import type { AuthenticApproval } from '../../doctor/incidents/approval.js';
import { type ChangeOrigin, originFields, originOf } from '../../doctor/incidents/change-origin.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import type { UndoForecast } from '../../doctor/requested/forecast-undo.js';
import type { Statement } from '../../engine/language/statement.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import type { ClusterReader } from '../diagnose/cluster-reader.js';
import { nameOf } from '../diagnose/diagnose-again.js';
import { isEnded } from '../diagnose/diagnosis-back-off.js';
import type { DiagnosisEngine } from '../diagnose/engine.js';
import { notice } from '../notices/notices.js';
import type { Refused } from '../people/conversation.js';
import { type ApprovalAuthority, isDistrusted } from './approval-authority.js';
import type { ApprovalStore } from './approval-ports.js';

/** The id of putting back what a pull request changed. */
export const undoInGit = 'undo-in-git';

/** A remediation worked out against the cluster as it is at this moment. */
export interface FreshPlan {
  readonly type: 'fresh';
  readonly plan: Plan;
  readonly remediation: Remediation;
  readonly origin: ChangeOrigin;
  /** What speaks against a change that a person asked for; empty for what a finding offers. */
  readonly warnings: readonly Statement[];
  readonly diagnosis: Diagnosis;
  readonly snapshot: Snapshot;
}

/**
 * Not done; `stale` when the card shows an older state than the cluster has, so that a fresh diagnosis is
 * due.
 */
export interface RefusedAgain extends Refused {
  readonly stale: boolean;
}

export interface PlanAgainDeps {
  readonly approvals: Pick<ApprovalStore, 'get'>;
  readonly authority: ApprovalAuthority;
  readonly cluster: Pick<ClusterReader, 'snapshot'>;
  readonly engine: DiagnosisEngine;
}

/**
 * Re-reads the workload, compares uid and generation with what people saw, runs the rule again that offered
 * the remediation, with those that would explain its finding better, and plans the remediation anew. Nothing
 * is taken from the card but the id, and what to put back only from the signed approval. For a change that a
 * person asked for, the forecast is computed again in place of the finding. Those who ask the same while a
 * diagnosis is under way share it: a hundred clicks cost one diagnosis, and what changes after it is refused
 * by the change's own preconditions.
 *
 * @param remediationId the id on the card, `undo`, or `undo-in-git` for what the last pull request changed
 */
export function createPlanAgain({ approvals, authority, cluster, engine }: PlanAgainDeps) {
  const underWay = new Map<string, Promise<FreshPlan | RefusedAgain>>();
  return (incident: Incident, remediationId: string): Promise<FreshPlan | RefusedAgain> => {
    const key = [incident.id, incident.version, remediationId].join(' ');
    const shared = underWay.get(key);
    if (shared !== undefined) return shared;
    const started = diagnoseAndPlan(incident, remediationId).finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  };

  async function diagnoseAndPlan(
    incident: Incident,
    remediationId: string,
  ): Promise<FreshPlan | RefusedAgain> {
    const workload = nameOf(incident);
    const known = incident.diagnosis;
    if (known === undefined) return refused(notice('still-looking', { workload }));

    const read = await cluster.snapshot(incident.workload, engine.needs);
    if (read.type === 'not-found') {
      return stale(notice('workload-gone', { workload, cluster: incident.workload.cluster }));
    }
    if (read.type === 'unreadable') {
      const { because, message } = read;
      return refused(
        notice('unreadable', { workload, cluster: incident.workload.cluster, because, message }),
      );
    }
    const { snapshot } = read;
    const { requested } = incident;
    const isRequested = isRequestedId(remediationId) && requested !== undefined;
    const isUndo = remediationId === 'undo' || remediationId === undoInGit;
    const change = isRequested ? requested.change : undefined;
    const about = isUndo ? undefined : causesOffering(known, remediationId);
    const diagnosis = await engine.diagnose(snapshot, change, about);
    if (diagnosis.uid !== known.uid) return stale(notice('workload-replaced', { workload }));

    if (isUndo) {
      const made = await madeChange(incident, remediationId === undoInGit);
      if (made === undefined) return refused(notice('nothing-to-undo', { workload }));
      if (made === 'key-removed') return refused(notice('undo-key-removed', { workload }));
      const { remediation, plan: wasDone } = made;
      if (wasDone.target.kind === incident.workload.kind && wasDone.target.uid !== diagnosis.uid) {
        return stale(notice('workload-replaced', { workload }));
      }
      const plan = await engine.planUndo({ remediation, undo: wasDone.undo }, snapshot);
      if (plan.type === 'refusal') return refused(plan.because);
      const undone = { ...remediation, ...(await undoForecast(remediation, wasDone.undo, snapshot)) };
      const origin = originOf(made);
      return { type: 'fresh', plan, remediation: undone, origin, warnings: [], diagnosis, snapshot };
    }

    if (diagnosis.generation !== known.generation) {
      const { generation } = diagnosis;
      return stale(notice('workload-changed', { workload, known: known.generation, now: generation }));
    }
    const proposed = isRequested
      ? requestedAgain(diagnosis, remediationId, requested, workload)
      : offeredAgain(known, diagnosis, remediationId, workload);
    if (proposed.type === 'refused') return readInPart(incident, diagnosis) ?? proposed;
    const plan = await engine.plan(proposed.remediation, snapshot);
    if (plan.type === 'refusal') return readInPart(incident, diagnosis) ?? stale(plan.because);
    return { ...proposed, type: 'fresh', plan, diagnosis, snapshot };
  }

  /** Without effects where it cannot be forecast: an undo must stay possible. */
  async function undoForecast(
    remediation: Remediation,
    undo: Plan['undo'],
    snapshot: Snapshot,
  ): Promise<Partial<UndoForecast>> {
    try {
      return (await engine.forecastUndo({ remediation, undo }, snapshot)) ?? { effects: [] };
    } catch (error) {
      if (isEnded(error)) return { effects: [] };
      throw error;
    }
  }

  /**
   * The signed approval of the incident's last change, if the API server accepted it and it can be put back;
   * or of its last pull request, whose values the cluster must have still (`planUndo`).
   */
  async function madeChange(
    { id, workload, change, pullRequest }: Incident,
    inGit: boolean,
  ): Promise<AuthenticApproval | 'key-removed' | undefined> {
    const made = inGit ? pullRequest : change;
    const stored = made && (await approvals.get(made.approvalId));
    if (made === undefined || stored === undefined) return undefined;
    const approval = authority.authenticate(made.approvalId, stored);
    if (isDistrusted(approval)) return approval.because === 'unknown-key' ? 'key-removed' : undefined;
    const { incidentId, workload: approved, applied, undoes, plan, gitTarget } = approval;
    const isOfThis = incidentId === id && isSame(approved, workload);
    const isMade = inGit ? gitTarget !== undefined : applied !== undefined;
    return isOfThis && isMade && !undoes && plan.undo !== undefined ? approval : undefined;
  }
}

/** The parts of a fresh plan that decide how it must be confirmed, as an approval keeps them. */
export function proposalOf({ origin, remediation }: FreshPlan, undoes: boolean) {
  return { ...originFields(origin), remediation, undoes };
}

type Proposed = Pick<FreshPlan, 'remediation' | 'origin' | 'warnings'> & { readonly type: 'proposed' };

/** None for what a person asked for, which is forecast. */
function causesOffering({ findings }: Diagnosis, id: string): readonly CauseId[] {
  const offering = findings.find(({ remediations }) => remediations.some((each) => each.id === id));
  return offering === undefined ? [] : [offering.cause];
}

/** The rule that offered the remediation must still find its cause, and still offer it. */
function offeredAgain(
  known: Diagnosis,
  now: Diagnosis,
  id: string,
  workload: string,
): Proposed | RefusedAgain {
  const [cause] = causesOffering(known, id);
  if (cause === undefined) return refused(notice('remediation-unknown', { id }));
  const same = now.findings.filter((each) => each.cause === cause);
  if (same.length === 0) return stale(notice('finding-gone', { workload }));
  const remediation = same.flatMap(({ remediations }) => remediations).find((each) => each.id === id);
  if (remediation === undefined) return stale(notice('plan-changed', { workload }));
  return { type: 'proposed', remediation, origin: { type: 'finding', cause }, warnings: [] };
}

/**
 * The refusal for want of objects that were read for the card and could not be read now; `undefined` where
 * there are none. What was not read proves neither that the cause is gone nor that the plan is another one.
 */
export function readInPart(
  { workload, diagnosis: known }: Incident,
  now: Diagnosis,
): RefusedAgain | undefined {
  const placeOf = ({ what, namespace }: UnseenInDiagnosis) => `${what} ${namespace}`;
  const before = new Set(known?.unseen.map(placeOf));
  const lost = now.unseen.filter((each) => !before.has(placeOf(each)));
  if (lost.length === 0) return undefined;
  const kinds = [...new Set(lost.map(({ what }) => what))];
  return refused(
    notice('read-in-part', { workload: nameOf({ workload }), cluster: workload.cluster, kinds }),
  );
}

/** The change that the person asked for must come to the same remediation as on the card. */
function requestedAgain(
  { requested: forecast }: Diagnosis,
  id: string,
  { by, at }: NonNullable<Incident['requested']>,
  workload: string,
): Proposed | RefusedAgain {
  if (forecast?.type === 'impossible') return stale(forecast.because);
  if (forecast?.remediation.id !== id) return stale(notice('plan-changed', { workload }));
  const { remediation, verdict } = forecast;
  const warnings = [...(verdict === undefined ? [] : [verdict]), ...forecast.warnings];
  return { type: 'proposed', remediation, warnings, origin: { type: 'request', requester: { by, at } } };
}

function refused(because: Refused['because']): RefusedAgain {
  return { type: 'refused', because, stale: false };
}

function stale(because: Refused['because']): RefusedAgain {
  return { type: 'refused', because, stale: true };
}
