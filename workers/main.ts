import { startStatusServer } from '../src/adapters/metrics/status-server.js';
import { answers } from '../src/adapters/redis/connection.js';
import { linkToMessages } from '../src/adapters/slack/card-link.js';
import { createSlackClients } from '../src/adapters/slack/clients.js';
import { createSlackIdentity } from '../src/adapters/slack/slack-identity.js';
import { createSlackIncidentThread } from '../src/adapters/slack/slack-incident-thread.js';
import { createSlackPeopleDirectory } from '../src/adapters/slack/slack-people-directory.js';
import { createSlackScanAudience } from '../src/adapters/slack/slack-scan-audience.js';
import { loadConfigOrExit } from '../src/config-or-exit.js';
import { createContainer } from '../src/container.js';
import { createDoctor, createTell } from '../src/doctor.js';
import { untilSignal } from '../src/until-signal.js';
import { startCrashHistory } from './crash-history.js';
import { startSentinel } from './sentinel.js';
import { startWorkers } from './start-workers.js';

/** Running jobs get this long to finish after SIGTERM; then another worker takes them up. */
const graceMs = 25_000;

const config = loadConfigOrExit(process.env);
const container = createContainer(config, 'worker');
const { log, clock, redis, metrics } = container;
const clients = createSlackClients({ token: config.slackBotToken, slackApiUrl: config.slackApiUrl, log });
const people = createSlackPeopleDirectory({
  client: clients.lookup,
  clock,
  defaultLanguage: config.channelLanguage,
});
const identity = createSlackIdentity(clients.lookup);
const linkTo = linkToMessages(() => identity.known()?.workspaceUrl);
const shownIn = { client: clients.delivery, tell: createTell(), languageOf: people.languageOf };
/** A name without its address is better than no card: Slack is asked again at the next one. */
const links = () =>
  identity.identity().then(
    () => linkTo,
    () => undefined,
  );
const thread = { ...createSlackIncidentThread({ ...shownIn, links }), ...createSlackScanAudience(shownIn) };
const workers = startWorkers(container, createDoctor(), thread);
const stopCrashHistory = startCrashHistory(container);
const stopSentinel = startSentinel(container);
const status = await startStatusServer({
  port: config.port,
  metrics,
  problems: async () => ((await answers(redis)) ? [] : ['Redis does not answer']),
});
log.info({ queues: config.workers, port: status.port }, 'worker started');
await untilSignal();
log.info('worker stops');
await Promise.all([workers.close(graceMs), stopCrashHistory(), stopSentinel()]);
await status.close();
await container.close();
log.info('worker stopped');
