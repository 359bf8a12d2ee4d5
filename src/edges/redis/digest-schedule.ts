import type { JobsOptions, Queue } from 'bullmq';
import { cronOf, type DigestSettings } from '../../doctor/scans/weekly-digest.js';
import type { ScanJob } from '../../service/jobs/jobs.js';

/** The place of a scan's id in the job of the digest: no person asked for it, and it has no record. */
export const digestScanId = 'weekly-digest';

const attempts = 20;
const firstBackoffMs = 5_000;
const kept = { removeOnComplete: { count: 10 }, removeOnFail: { count: 10 } } as const;

/**
 * Keeps the weekly job in Redis, or takes it out where none is configured. The schedule has one id, so that
 * any number of workers has one job a week, also after all of them were away.
 */
export async function keepDigestSchedule(
  queue: Pick<Queue, 'upsertJobScheduler' | 'removeJobScheduler'>,
  settings: DigestSettings | undefined,
): Promise<void> {
  if (settings === undefined) {
    await queue.removeJobScheduler(digestScanId);
    return;
  }
  const data: ScanJob = { v: 1, scanId: digestScanId };
  const opts: JobsOptions = { attempts, backoff: { type: 'exponential', delay: firstBackoffMs }, ...kept };
  await queue.upsertJobScheduler(
    digestScanId,
    { pattern: cronOf(settings), tz: settings.timeZone },
    { name: 'scan', data, opts: { ...opts } },
  );
}
