import type { WorkloadRef } from '#src/core/cluster/workload.js';
import type { CauseId } from '#src/core/diagnosis/cause-id.js';
import type { Cluster } from '../harness/cluster.js';

/** A healthy workload in a state that resembles an incident. */
export interface Control {
  readonly id: string;
  /** Describes the state and the incident that it resembles. */
  readonly title: string;
  /** What a careless reader would call it. */
  readonly resembles: CauseId;
  /** What must be noted all the same. */
  readonly informational?: readonly CauseId[];
  /** Seconds between the recording and the diagnosis, so that the events are old. Only for idle states. */
  readonly lookAfterSeconds?: number;
  /** Makes it so in an empty cluster. */
  readonly bringAbout: (cluster: Cluster) => Promise<WorkloadRef>;
}

/** Long after everything that happened, and shortly before the API server forgets the events. */
export const beforeEventsGo = 50 * 60;

/** So long after it that a crash is no news any more, and no event is left. */
export const hoursAfter = 7 * 3_600;
