import { createMetrics } from './adapters/metrics/metrics.js';
import { checkStart } from './check-start.js';
import { loadConfigOrExit } from './config-or-exit.js';
import { clustersOf } from './connected-clusters.js';
import { createContainer } from './container.js';
import { followTraces } from './follow-traces.js';
import { startApp } from './start-app.js';
import { logEverything, startOrExit } from './start-or-exit.js';
import { exitAfter, untilSignal } from './until-signal.js';

/** Kubernetes kills after 30 seconds. */
const graceMs = 28_000;

const config = loadConfigOrExit(process.env, 'app');
const endTracing = await followTraces(config, 'app');
const metrics = createMetrics();
const container = createContainer(config, 'app', metrics, clustersOf(config, metrics));
const { log } = container;
logEverything(log);
await checkStart(container);
const app = await startOrExit(container.config, () => startApp(container));
log.info({ port: app.port, statusPort: app.statusPort }, 'app started');
await untilSignal();
log.info('app stops');
await exitAfter(graceMs, async () => {
  await app.stop();
  await container.close();
  await endTracing().catch(() => undefined);
  log.info('app stopped');
  return true;
});
