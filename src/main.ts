import { loadConfigOrExit } from './config-or-exit.js';
import { createContainer } from './container.js';
import { startApp } from './start-app.js';
import { untilSignal } from './until-signal.js';

const container = createContainer(loadConfigOrExit(process.env), 'app');
const { log } = container;
const app = await startApp(container);
log.info({ port: app.port }, 'app started');
await untilSignal();
log.info('app stops');
await app.stop();
await container.close();
log.info('app stopped');
