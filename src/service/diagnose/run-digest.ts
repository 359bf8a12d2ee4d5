import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import { visibleDiagnosis } from '../../doctor/findings/visible-diagnosis.js';
import type { MessageRef } from '../../doctor/incidents/delivery.js';
import { isBlind, visibleIn } from '../../doctor/policy/view.js';
import { fleetOf } from '../../doctor/scans/scan-record.js';
import type { DigestSettings, WeeklyDigest } from '../../doctor/scans/weekly-digest.js';
import { dayIn, weeklyDigest } from '../../doctor/scans/weekly-digest.js';
import type { Shown } from '../deliver/incident-thread.js';
import { DoctorError } from '../errors.js';
import type { Sights } from '../people/sights.js';
import type { Clock } from '../records/process-ports.js';
import type { ClusterReader } from './cluster-reader.js';
import { diagnosisUnlessEnded } from './diagnosis-back-off.js';
import type { DiagnosisEngine } from './engine.js';

/** Where digests are posted. One call, one attempt. */
export interface DigestBoard {
  /** @param key is kept with the message so that `findDigest` can recognise it */
  postDigest(channel: string, digest: WeeklyDigest, key: string): Promise<Shown>;
  findDigest(channel: string, key: string, since: string): Promise<MessageRef | undefined | 'unknown'>;
}

interface RunDigestDeps {
  readonly board: DigestBoard;
  readonly clock: Clock;
  readonly cluster: Pick<ClusterReader, 'clusters' | 'scope'>;
  readonly engine: Pick<DiagnosisEngine, 'needs' | 'diagnose'>;
  readonly sights: Pick<Sights, 'ofChannel'>;
  /** Absent: no digest is posted, also where a job is left of a time when one was. */
  readonly settings: DigestSettings | undefined;
  /** Of the file. */
  readonly channel: string | undefined;
  /** Time for reading the cluster, and again for diagnosing what was read, in milliseconds. */
  readonly withinMs: number;
  /** The policy shows the channel no namespace. */
  readonly onNotShown: (channel: string) => void;
}

/** Workloads that one digest diagnoses. */
const maxWorkloads = 2_000;
const dayMs = 86_400_000;

/**
 * Posts the workloads that deadlock at their next update, of the namespaces that the channel may see. A
 * digest of the same day that is in the channel already is not posted again, whichever worker posted it.
 *
 * @returns when to come back, where Slack asked to wait
 * @throws DoctorError `slack-unavailable` or `cluster-unavailable`, retryable
 */
export function createRunDigest(deps: RunDigestDeps) {
  return async (): Promise<{ readonly afterMs: number } | undefined> => {
    const { board, clock, settings } = deps;
    const channel = settings?.channel ?? deps.channel;
    if (settings === undefined || channel === undefined) return undefined;
    const now = clock.now();
    const key = `digest-${dayIn(settings.timeZone, now)}`;
    const since = new Date(now.getTime() - dayMs).toISOString();
    const posted = await board.findDigest(channel, key, since);
    if (posted === 'unknown') throw slackAway();
    if (posted !== undefined) return undefined;
    const digest = await computed(deps, settings, channel);
    if (digest === undefined) return undefined;
    const shown = await board.postDigest(channel, digest, key);
    if (shown.type === 'throttled') return { afterMs: shown.retryAfterMs };
    if (shown.type === 'doubtful' || shown.type === 'unavailable') throw slackAway();
    return undefined;
  };
}

async function computed(
  deps: RunDigestDeps,
  { cluster: named }: DigestSettings,
  channel: string,
): Promise<WeeklyDigest | undefined> {
  const { clock, engine, withinMs } = deps;
  const cluster = named ?? deps.cluster.clusters[0] ?? '';
  const { sight } = await deps.sights.ofChannel(channel);
  if (isBlind(sight)) {
    deps.onNotShown(channel);
    return undefined;
  }
  const signal = AbortSignal.timeout(withinMs);
  const scope = await deps.cluster.scope({ cluster, namespace: '' }, engine.needs, signal);
  if (scope.type !== 'scope') {
    throw new DoctorError({
      code: 'cluster-unavailable',
      message: 'the cluster of the weekly digest could not be read',
      retryable: true,
    });
  }
  const snapshots = scope.snapshots.filter(
    ({ workload: { metadata } }) => visibleIn(sight, { cluster, namespace: metadata.namespace }).workload,
  );
  const until = clock.now().getTime() + withinMs;
  const diagnoses: Diagnosis[] = [];
  for (const snapshot of snapshots.slice(0, maxWorkloads)) {
    if (clock.now().getTime() >= until) break;
    const diagnosis = await diagnosisUnlessEnded(engine, snapshot);
    if (diagnosis !== undefined) diagnoses.push(visibleDiagnosis(diagnosis, sight));
  }
  const skipped = snapshots.length - diagnoses.length;
  return weeklyDigest(fleetOf(diagnoses), { cluster, takenAt: scope.takenAt, skipped });
}

function slackAway(): DoctorError {
  return new DoctorError({
    code: 'slack-unavailable',
    message: 'Slack did not take the weekly digest',
    retryable: true,
  });
}
