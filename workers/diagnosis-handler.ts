import type { Incident } from '../src/doctor/incidents/incident.js';
import type { ClusterReader } from '../src/service/diagnose/cluster-reader.js';
import {
  createFailDiagnosis,
  createRunDiagnosis,
  createSlots,
  type RunDiagnosisDeps,
} from '../src/service/diagnose/run-diagnosis.js';
import type { QueueHandler } from './run-worker.js';

/** What one person asks for, and a cluster that answers slowly, leave these slots to the others. */
const slotsForOthers = 2;
/** A diagnosis without a free slot is tried again after this, in milliseconds. */
const slotRetryMs = 2_000;

export function createDiagnosisHandler(
  deps: RunDiagnosisDeps & { readonly cluster: Pick<ClusterReader, 'clusters'> },
  concurrency: number,
): QueueHandler<'diagnosis'> {
  const run = createRunDiagnosis(deps);
  const slots = createSlots(Math.max(1, concurrency - slotsForOthers));
  const isOnlyCluster = deps.cluster.clusters.length < 2;
  const keysOf = ({ workload, origin }: Incident): readonly string[] => [
    ...(isOnlyCluster ? [] : [`cluster ${workload.cluster}`]),
    ...(origin.by === undefined ? [] : [`person ${origin.by}`]),
  ];
  return {
    concurrency,
    async handle(job, attempt) {
      const incident = await deps.incidents.get(job.incidentId);
      const free = slots.take(incident === undefined ? [] : keysOf(incident));
      if (free === undefined) return { afterMs: slotRetryMs };
      try {
        await run(job, attempt);
        return undefined;
      } finally {
        free();
      }
    },
    fail: createFailDiagnosis(deps),
  };
}
