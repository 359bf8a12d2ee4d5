import { braked } from '../../doctor/incidents/incident-transitions.js';
import { type Brake, findBrake } from '../../doctor/policy/brakes.js';
import type { CurrentPolicy } from '../../doctor/policy/policy.js';
import type { Statement } from '../../engine/language/statement.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import { enqueueCard } from '../deliver/delivery-jobs.js';
import { notice } from '../notices/notices.js';
import type { AuditReader, ChangeStopStore } from '../people/people-ports.js';
import type { IncidentStore } from '../records/incident-store.js';
import { updateIncident } from '../records/incident-store.js';
import type { Clock, JobQueue, SharedClock } from '../records/process-ports.js';

interface CheckBrakesDeps {
  readonly audit: Pick<AuditReader, 'decisions'>;
  readonly sharedClock: SharedClock;
  readonly policy: CurrentPolicy;
  readonly stops: Pick<ChangeStopStore, 'get'>;
}

export interface ShowBrakeDeps {
  readonly clock: Clock;
  readonly incidents: IncidentStore;
  readonly jobs: JobQueue;
}

/**
 * Why a change of the workload may not be made now, or undefined.
 *
 * @param about.isStarted for the second step of a change: the limit has counted the change when it was
 *   started
 */
export type CheckBrakes = (about: {
  readonly workload: WorkloadRef;
  readonly undoes: boolean;
  readonly isStarted?: boolean;
}) => Promise<{ readonly brake: Brake; readonly because: Statement } | undefined>;

/** Decisions of one workload read at most: far more than the highest limit an hour. */
const maxRead = 5_000;

/** @throws DoctorError `redis-unavailable` when it cannot be known: then no change is made */
export function createCheckBrakes({ audit, sharedClock, policy, stops }: CheckBrakesDeps): CheckBrakes {
  return async ({ workload, undoes, isStarted = false }) => {
    const [stop, { entries }] = await Promise.all([stops.get(), audit.decisions(maxRead, { of: workload })]);
    const started = entries.filter(({ action, details }) => action === 'started' && details.undoes !== true);
    const { cluster, namespace } = workload;
    const brake = findBrake(policy().brakes, {
      cluster,
      namespace,
      undoes,
      now: (await sharedClock.now()).getTime(),
      stop,
      startedAt: isStarted ? [] : started.map(({ at }) => Date.parse(at)),
    });
    return brake && { brake, because: noticeOf(brake, `${namespace}/${workload.name}`) };
  };
}

/** Shows on the card whether changes are held back; nothing is written where the card says so already. */
export async function showBrake(
  { clock, incidents, jobs }: ShowBrakeDeps,
  incidentId: string,
  because: Statement | undefined,
): Promise<void> {
  const at = clock.now().toISOString();
  const stored = await updateIncident(incidents, incidentId, (incident) => braked(incident, because, at));
  if (stored !== undefined) await enqueueCard(jobs, stored);
}

function noticeOf(brake: Brake, workload: string): Statement {
  switch (brake.type) {
    case 'stopped':
      return notice('changes-stopped', brake);
    case 'frozen':
      return notice('changes-frozen', { ...brake, workload });
    case 'too-many':
      return notice('too-many-changes', { ...brake, workload });
  }
}
