import { isDeepStrictEqual } from 'node:util';
import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import type { Verdict } from '../../doctor/incidents/incident.js';
import { settled, verificationSaw } from '../../doctor/incidents/incident-transitions.js';
import type { JudgeInput, Judgement } from '../../doctor/incidents/judge.js';
import { enqueueCard, enqueueEntry, enqueueNotes } from '../deliver/delivery-jobs.js';
import type { ClusterReader } from '../diagnose/cluster-reader.js';
import { isEnded } from '../diagnose/diagnosis-back-off.js';
import type { DiagnosisEngine } from '../diagnose/engine.js';
import type { JobSubject, VerificationJob } from '../jobs/jobs.js';
import { incidentEntry } from '../records/audit-entries.js';
import type { IncidentStore } from '../records/incident-store.js';
import { updateIncident } from '../records/incident-store.js';
import type { Clock, Counters, JobQueue } from '../records/process-ports.js';

interface VerifyRemediationDeps {
  readonly cluster: Pick<ClusterReader, 'snapshot'>;
  readonly incidents: IncidentStore;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly engine: DiagnosisEngine;
  readonly metrics: Counters;
  /** Time between two diagnoses, in milliseconds. */
  readonly verifyEveryMs: number;
}

/** A verification that was too large to compute is tried again after this, in milliseconds. */
const endedRetryMs = 60_000;

type Verified = { readonly type: 'settled' } | { readonly type: 'again'; readonly afterMs: number };

/**
 * Looks once whether the change helped, by the rule that found the cause. Gives the verdict as soon as it is
 * known, also when another client has reverted the change, and at the deadline in any case; a cluster that
 * cannot be read at the deadline counts as unchanged.
 */
export function createVerifyRemediation(deps: VerifyRemediationDeps) {
  return { verify, giveUp };

  /** Ends a verification that failed by itself: nobody saw that the change helped. */
  async function giveUp({ incidentId, approvalId }: JobSubject): Promise<void> {
    if (incidentId === undefined) return;
    const change = approvalId ?? (await deps.incidents.get(incidentId))?.change?.approvalId;
    if (change === undefined) return;
    const at = deps.clock.now().toISOString();
    await finishVerification(deps, incidentId, change, { at, diagnosis: undefined, verdict: 'unchanged' });
  }

  async function verify({ incidentId, approvalId }: VerificationJob): Promise<Verified> {
    const incident = await deps.incidents.get(incidentId);
    const change = incident?.change;
    if (incident === undefined || change?.approvalId !== approvalId || incident.phase !== 'verifying') {
      return { type: 'settled' };
    }
    const read = await deps.cluster.snapshot(incident.workload, deps.engine.needs);
    const now = deps.clock.now();
    const at = now.toISOString();
    const late = change.verifyUntil !== undefined && now.getTime() >= Date.parse(change.verifyUntil);
    const before = incident.diagnosis;
    if (read.type !== 'snapshot' || before === undefined) {
      if (!late) return { type: 'again', afterMs: deps.verifyEveryMs };
      return finishVerification(deps, incidentId, approvalId, {
        at,
        diagnosis: undefined,
        verdict: 'unchanged',
      });
    }
    const seenNow = await examine(deps.engine, { change, before, snapshot: read.snapshot, late });
    if (seenNow === undefined) {
      if (!late) return { type: 'again', afterMs: Math.max(deps.verifyEveryMs, endedRetryMs) };
      return finishVerification(deps, incidentId, approvalId, {
        at,
        diagnosis: undefined,
        verdict: 'unchanged',
      });
    }
    const { diagnosis, verdict, progress, replaced, reversal } = seenNow;
    const reading = { at: diagnosis.takenAt, readyPods: diagnosis.ready.pods };
    if (verdict !== undefined || late) {
      return finishVerification(deps, incidentId, approvalId, {
        at,
        diagnosis,
        verdict: verdict ?? 'unchanged',
        reversal,
        progress,
        reading,
      });
    }
    const seen = await updateIncident(deps.incidents, incidentId, (current) =>
      verificationSaw(current, approvalId, { at, progress, replaced, reading }),
    );
    const isNews = !isDeepStrictEqual(seen?.change?.progress, change.progress);
    if (seen !== undefined && isNews) await enqueueCard(deps.jobs, seen);
    return { type: 'again', afterMs: deps.verifyEveryMs };
  }
}

/**
 * A fresh diagnosis and what it says about the change; `undefined` where the workload is too large to
 * compute.
 */
async function examine(
  engine: DiagnosisEngine,
  input: Omit<JudgeInput, 'now'>,
): Promise<(Judgement & { readonly diagnosis: Diagnosis }) | undefined> {
  try {
    const diagnosis = await engine.diagnose(input.snapshot);
    return { diagnosis, ...(await engine.judge({ ...input, now: diagnosis })) };
  } catch (error) {
    if (isEnded(error)) return undefined;
    throw error;
  }
}

async function finishVerification(
  deps: VerifyRemediationDeps,
  incidentId: string,
  approvalId: string,
  outcome: Parameters<typeof settled>[2] & { readonly verdict: Verdict },
): Promise<Verified> {
  const stored = await updateIncident(
    deps.incidents,
    incidentId,
    (current) => settled(current, approvalId, outcome),
    (incident) =>
      incidentEntry(incident, 'verdict', {
        at: outcome.at,
        approvalId,
        details: {
          verdict: outcome.verdict,
          ...(outcome.reversal?.by === undefined ? {} : { revertedBy: outcome.reversal.by }),
        },
      }),
  );
  if (stored === undefined) return { type: 'settled' };
  const { change } = stored;
  if (change !== undefined) {
    deps.metrics.verdict(change.undoes ? 'undo' : change.remediation.kind, outcome.verdict);
  }
  await enqueueCard(deps.jobs, stored);
  await enqueueEntry(deps.jobs, incidentId, { kind: 'verdict', of: approvalId });
  await enqueueEntry(deps.jobs, incidentId, { kind: 'picture', of: String(stored.look) });
  if (outcome.verdict === 'recovered') await enqueueNotes(deps.jobs, stored, approvalId);
  return { type: 'settled' };
}
