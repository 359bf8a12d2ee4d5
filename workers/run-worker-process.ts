import { createPaintDrawing } from '../src/edges/image/paint-drawing.js';
import { startStatusServer } from '../src/edges/metrics/status-server.js';
import { linkToMessages } from '../src/edges/slack/card-link.js';
import { createSlackClients } from '../src/edges/slack/clients.js';
import { createPictureImages } from '../src/edges/slack/picture-images.js';
import {
  createSlackAudienceDirectory,
  createSlackScanAudience,
} from '../src/edges/slack/slack-audience-directory.js';
import { createSlackDigestBoard } from '../src/edges/slack/slack-digest-board.js';
import { createSlackIdentity } from '../src/edges/slack/slack-identity.js';
import { createSlackIncidentThread, createSlackReactions } from '../src/edges/slack/slack-incident-thread.js';
import { createSlackPeopleDirectory } from '../src/edges/slack/slack-people-directory.js';
import { createReadWorkspaces } from '../src/edges/slack/slack-workspaces.js';
import { checkStart } from '../src/roots/check-start.js';
import { type StartEngineOptions, startEngine } from '../src/roots/start-engine.js';
import {
  exitAfter,
  followTraces,
  loadConfigOrExit,
  logEverything,
  startOrExit,
  untilSignal,
} from '../src/roots/start-or-exit.js';
import { watchClock } from '../src/roots/watch-clock.js';
import { createMayApprove } from '../src/service/approve/may-approve.js';
import { createTell } from '../src/service/create-engine.js';
import { createSights } from '../src/service/people/sights.js';
import { hasGitSource, languageOfChannel } from '../src/settings/config.js';
import { startCrashHistory, startNodeCache, startSentinel } from './each-cluster.js';
import { createGitAccess } from './git-access.js';
import { startWorkers } from './start-workers.js';
import { createWorkerContainer, type WorkerContainer } from './worker-container.js';

/** Running jobs get this long to finish after SIGTERM; then another worker takes them up. */
const graceMs = 25_000;

/** What is known of an approver when a change is sent is never older than this. */
const rightsMs = 5_000;

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

interface OpenWorker {
  readonly statusPort: number;
  /**
   * Lets running jobs finish for at most `graceMs`, and closes all but the container.
   *
   * @returns whether every running job finished
   */
  close(graceMs: number): Promise<boolean>;
}

/**
 * Starts what a worker consists of. The process around it, with its signals and its exit status, is not part
 * of it.
 *
 * @param computing what its threads run, and for how long, in place of the usual
 * @param start starts an engine in place of one with threads
 */
export async function openWorker(
  container: WorkerContainer,
  computing: Omit<StartEngineOptions, 'maxThreads'> = {},
  start: typeof startEngine = startEngine,
): Promise<OpenWorker> {
  const { config, log, clock, metrics } = container;
  const clients = createSlackClients({
    token: () => container.slackCredentials().botToken,
    slackApiUrl: config.slackApiUrl,
    log,
    onRequest: metrics.onSlackRequest,
  });
  const identity = createSlackIdentity(clients.lookup);
  const lookup = { client: clients.lookup, clock, identity };
  const workspaces = createReadWorkspaces(lookup);
  const people = createSlackPeopleDirectory({
    ...lookup,
    workspaces,
    rightsMs,
    defaultLanguage: config.channelLanguage,
  });
  const linkTo = linkToMessages(() => identity.known()?.workspaceUrl);
  const audiences = createSlackAudienceDirectory({ client: clients.lookup, clock, workspaces });
  const sights = createSights({ audiences, people, policy: container.policy });
  const reactions = createSlackReactions({
    client: clients.delivery,
    now: () => performance.now(),
    onScopeMissing: () =>
      log.warn('the app lacks the scope reactions:write: messages of alerts get no reaction'),
  });
  const { languageOf, namesOf } = people;
  const shownIn = { client: clients.delivery, tell: createTell(), languageOf, sights };
  /** A name without its address is better than no card: Slack is asked again at the next one. */
  const links = () =>
    identity.identity().then(
      () => linkTo,
      () => undefined,
    );
  const images = createPictureImages({
    client: clients.delivery,
    slackApiUrl: config.slackApiUrl,
    paint: createPaintDrawing(),
    clock,
    log,
  });
  const thread = {
    ...createSlackIncidentThread({
      ...shownIn,
      namesOf,
      reactions,
      links,
      images,
      pages: config.pages,
      hasGitSource: (workload, owners) => hasGitSource(config, workload, owners),
    }),
    ...createSlackScanAudience({ ...shownIn, hasTables: config.slackTables === 'on' }),
    ...createSlackDigestBoard({
      ...shownIn,
      languageOfChannel: (channel) => languageOfChannel(config, channel),
      hasTables: config.slackTables === 'on',
    }),
  };
  const engines = {
    diagnosis: start(container, { ...computing, maxThreads: 2 }),
    verification: start(container, { ...computing, maxThreads: 1 }),
    git: createGitAccess(container),
  };
  const mayApprove = createMayApprove({ people, policy: container.policy });
  const workers = startWorkers(container, engines, {
    thread,
    mayApprove,
    sights,
    workspaceOf: audiences.workspaceOf,
  });
  const stopCrashHistory = startCrashHistory(container);
  const stopNodeCache = startNodeCache(container);
  const stopSentinel = startSentinel(container);
  const status = await startStatusServer({
    port: config.statusPort,
    metrics,
    problem: container.redisProblem,
  });
  return {
    statusPort: status.port,
    async close(graceMs) {
      const [hasFinished] = await Promise.all([
        workers.close(graceMs),
        stopCrashHistory(),
        stopNodeCache(),
        stopSentinel(),
      ]);
      await Promise.all([engines.diagnosis.close(), engines.verification.close(), engines.git?.close()]);
      await status.close();
      return hasFinished;
    },
  };
}
