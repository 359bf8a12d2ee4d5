import type { Jobs, QueueName } from '../jobs/jobs.js';
import type { ScanStore } from '../people/people-ports.js';
import type { IncidentStore } from '../records/incident-store.js';

/** Queues whose jobs need credentials for a cluster. The others are served beside the app. */
export const clusterQueues = [
  'diagnosis',
  'scan',
  'sentinel',
  'dry-run',
  'remediation',
  'pull-request',
  'verification',
  'question',
  'review',
] as const satisfies readonly QueueName[];

type ClusterQueue = (typeof clusterQueues)[number];

export function isClusterQueue(queue: QueueName): queue is ClusterQueue {
  return clusterQueues.some((each) => each === queue);
}

export interface ClusterOfJobDeps {
  readonly incidents: Pick<IncidentStore, 'get'>;
  readonly scans: Pick<ScanStore, 'get'>;
}

/**
 * Which cluster's workers a job is for.
 *
 * @returns `beside-app` for jobs that need no cluster; undefined where the record of the job is gone, so that
 *   nothing is left to do
 */
export async function clusterOfJob<Name extends QueueName>(
  queue: Name,
  job: Jobs[Name],
  { incidents, scans }: ClusterOfJobDeps,
): Promise<{ readonly cluster: string } | 'beside-app' | undefined> {
  if (!isClusterQueue(queue)) return 'beside-app';
  if ('cluster' in job) return { cluster: job.cluster };
  if ('scanId' in job) return scans.get(job.scanId);
  if (!('incidentId' in job)) return undefined;
  const incident = await incidents.get(job.incidentId);
  return incident && { cluster: incident.workload.cluster };
}
