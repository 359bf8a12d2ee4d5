import { checkStart } from '../src/roots/check-start.js';
import type { StartEngineOptions } from '../src/roots/start-engine.js';
import {
  exitAfter,
  followTraces,
  loadConfigOrExit,
  logEverything,
  startOrExit,
  untilSignal,
} from '../src/roots/start-or-exit.js';
import { watchClock } from '../src/roots/watch-clock.js';
import { openWorker } from './open-worker.js';
import { createWorkerContainer } from './worker-container.js';

/** Running jobs get this long to finish after SIGTERM; then another worker takes them up. */
const graceMs = 25_000;

/**
 * Runs a worker until SIGTERM or SIGINT, and ends the process.
 *
 * @param computing what its threads run, and for how long, in place of the usual
 */
export async function runWorkerProcess(
  computing: Omit<StartEngineOptions, 'maxThreads'> = {},
): Promise<never> {
  const config = loadConfigOrExit(process.env, 'worker');
  const endTracing = await followTraces(config, 'worker');
  const container = createWorkerContainer(config);
  const { log } = container;
  logEverything(log);
  await checkStart(container);
  const clockWatch = await watchClock(container);
  if (clockWatch.isApart()) process.exit(1);
  const worker = await startOrExit(config, () => openWorker(container, computing));
  log.info({ queues: config.workers, statusPort: worker.statusPort }, 'worker started');
  const reason = await Promise.race([untilSignal(), clockWatch.untilApart]);
  clockWatch.stop();
  log.info('worker stops');
  return exitAfter(graceMs + 3_000, async () => {
    const hasFinished = await worker.close(graceMs);
    await container.close();
    await endTracing().catch(() => undefined);
    log.info(hasFinished ? 'worker stopped' : 'worker stopped; another worker takes up its jobs');
    return hasFinished && reason !== 'clock';
  });
}
