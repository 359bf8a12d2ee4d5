import type { Snapshot } from '../cluster/snapshot.js';
import type { Diagnosis } from '../diagnosis/diagnosis.js';
import type { RequestedChange } from '../remediation/requested-change.js';
import { forecastRequested } from './forecast-requested.js';

/** The diagnosis with the forecast of the change that a person asked for; as it is where nobody asked. */
export function withRequested(
  diagnosis: Diagnosis,
  snapshot: Snapshot,
  change: RequestedChange | undefined,
): Diagnosis {
  return change === undefined ? diagnosis : { ...diagnosis, requested: forecastRequested(change, snapshot) };
}
