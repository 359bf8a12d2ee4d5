import { isPullRequestUnderWay } from '../doctor/incidents/pull-request-transitions.js';
import { queueReminders } from '../service/change/remind-exclusion.js';
import { enqueueCard } from '../service/deliver/delivery-jobs.js';
import { DoctorError } from '../service/errors.js';
import type { Container } from './container.js';

const everyMs = 10_000;

/**
 * Compares what this process knows of work under way with Redis, whenever Redis is reached again and every
 * ten seconds, and stores again what is missing. A Redis that loses its data loses the jobs as well, so
 * nothing else would report it. The sweep of the workers then continues the work, or the incident states what
 * cannot be continued.
 *
 * @param onRestored runs after something was stored again
 * @returns ends it
 */
export function restoreRecords(
  {
    restoreLost,
    jobs,
    metrics,
    log,
    redis,
    clock,
  }: Pick<Container, 'restoreLost' | 'jobs' | 'metrics' | 'log' | 'redis' | 'clock'>,
  onRestored: () => void = () => undefined,
): () => void {
  let isRunning = false;
  const restore = async (): Promise<void> => {
    const { incidents, scans, stops, silences } = await restoreLost();
    for (const { by } of stops) {
      log.error({ code: 'record-lost', by }, 'Redis lost the stop of all changes; they are stopped again');
      metrics.recordLost('change-stop');
    }
    for (const { by, workload, until } of silences) {
      log.error({ code: 'record-lost', by, workload, until }, 'Redis lost a silence; it applies again');
      metrics.recordLost('silence');
    }
    for (const { id } of scans) {
      log.error({ code: 'record-lost', scanId: id }, 'Redis lost a scan; it is queued again');
      metrics.recordLost('scan');
      await jobs.enqueue('scan', { v: 1, scanId: id });
    }
    for (const incident of incidents) {
      const { id, phase, pullRequest } = incident;
      log.error({ code: 'record-lost', incidentId: id, phase }, 'Redis lost an incident; it is stored again');
      metrics.recordLost('incident');
      if (pullRequest !== undefined && isPullRequestUnderWay(incident)) {
        const { approvalId } = pullRequest;
        await jobs.enqueue('pull-request', { v: 1, incidentId: id, approvalId }, { again: true });
      }
      await queueReminders({ jobs }, incident, clock.now().getTime());
      await enqueueCard(jobs, incident, { again: true });
    }
    if (incidents.length > 0) onRestored();
  };
  const run = (): void => {
    if (isRunning) return;
    isRunning = true;
    restore()
      .catch((err: unknown) => {
        // While Redis is away, the connection log states it.
        const isAway = err instanceof DoctorError && err.code === 'redis-unavailable';
        if (!isAway) log.warn({ err }, 'lost records could not be stored again');
      })
      .finally(() => {
        isRunning = false;
      });
  };
  redis.on('ready', run);
  const timer = setInterval(run, everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    redis.off('ready', run);
  };
}
