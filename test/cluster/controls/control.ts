import type { CauseId } from '#src/doctor/findings/cause-id.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import type { Cluster } from '../harness/cluster.js';

/** A healthy workload in a state that resembles one of an incident. */
export interface Control {
  readonly id: string;
  /** Describes the workload and what it resembles. */
  readonly title: string;
  /** The cause that it resembles. */
  readonly resembles: CauseId;
  /** Notes that must be found nevertheless. */
  readonly informational?: readonly CauseId[];
  /** The diagnosis is dated this many seconds after the recording. Only where nothing changes any longer. */
  readonly diagnoseAfterSeconds?: number;
  /** Creates the state in an empty cluster. */
  readonly reproduce: (cluster: Cluster) => Promise<WorkloadRef>;
}

/** Long after everything that happened, and shortly before the API server forgets the events. */
export const beforeEventsGo = 50 * 60;

/** Seconds after which a crash is no longer recent, and no Event is left. */
export const hoursAfter = 7 * 3_600;
