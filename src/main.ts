import { createMetrics } from './edges/metrics/metrics.js';
import { checkStart } from './roots/check-start.js';
import { clustersOf } from './roots/cluster-links.js';
import { createContainer } from './roots/container.js';
import { startApp } from './roots/start-app.js';
import {
  exitAfter,
  followTraces,
  loadConfigOrExit,
  logEverything,
  startOrExit,
  untilSignal,
} from './roots/start-or-exit.js';
import { watchClock } from './roots/watch-clock.js';

/** Kubernetes kills after 30 seconds. */
const graceMs = 28_000;

const config = loadConfigOrExit(process.env, 'app');
const endTracing = await followTraces(config, 'app');
const metrics = createMetrics();
const container = createContainer(config, 'app', metrics, clustersOf(config, metrics));
const { log } = container;
logEverything(log);
await checkStart(container);
const clockWatch = await watchClock(container);
if (clockWatch.isApart()) process.exit(1);
const app = await startOrExit(container.config, () => startApp(container));
log.info({ port: app.port, statusPort: app.statusPort }, 'app started');
const reason = await Promise.race([untilSignal(), clockWatch.untilApart]);
clockWatch.stop();
log.info('app stops');
await exitAfter(graceMs, async () => {
  await app.stop();
  await container.close();
  await endTracing().catch(() => undefined);
  log.info('app stopped');
  return reason !== 'clock';
});
