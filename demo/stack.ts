import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { createLocalCluster, type LocalCluster, type LocalClusterOptions } from './cluster/local-cluster.js';
import { deleteKeys } from './redis/delete-keys.js';
import { type PrivateRedis, startPrivateRedis } from './redis/private-redis.js';
import { createLocalSlack, type LocalSlack } from './slack/create-local-slack.js';
import type { LocalSlackOptions } from './slack/local-slack-options.js';

const root = fileURLToPath(new URL('..', import.meta.url));

export interface StackOptions {
  readonly mode?: 'socket' | 'http';
  readonly cluster?: LocalClusterOptions;
  readonly slack?: Partial<LocalSlackOptions>;
  /**
   * Fills the cluster before app and workers start: while this process is busy, it answers no ping of theirs.
   */
  readonly seed?: (cluster: LocalCluster) => Promise<void>;
  /**
   * YAML of the settings of alerts, in which `ALERTS_TOKEN` names the senders' token; without it none are
   * taken.
   */
  readonly alerts?: string;
  /** YAML of the settings of pull requests; without it none are offered. */
  readonly git?: string;
  /** YAML of the policy; by default the ml-oncall group may do everything in every namespace. */
  readonly policy?: string;
  readonly apps?: number;
  readonly workers?: number;
  /** Environments of further workers, beside what all share. */
  readonly furtherWorkers?: readonly Readonly<Record<string, string>>[];
  /**
   * Folder with what `scripts/bundle.mjs` made, which runs as in the image, in place of the sources. By
   * default `ROLLOUT_DOCTOR_PROGRAMS`, which tests set: from the sources, a process needs seven times as much
   * to start. As a function, it gives the folder of each process by its name, such as `worker-1`.
   */
  readonly built?: string | ((name: string) => string);
  /** Starts app and workers in another way than as processes of their own, which cannot be killed then. */
  readonly startPart?: StartPart;
  /** Starts a Redis of its own, which can be killed, also where REDIS_URL names one. */
  readonly ownRedis?: boolean;
  /** Whether cards link to the page of their cause, which the local Slack then shows. */
  readonly hasDocs?: boolean;
  /** Further environment of app and workers. */
  readonly env?: Readonly<Record<string, string>>;
  /** Ends what is started when it aborts before the stack is there, which then throws. */
  readonly signal?: AbortSignal;
  /** Gets every log line of app and workers. */
  readonly onLog?: (process: string, line: string) => void;
}

export interface Stack {
  readonly redis: PrivateRedis;
  readonly cluster: LocalCluster;
  readonly slack: LocalSlack;
  readonly kubeconfigPath: string;
  /** The first of `apps`. */
  readonly app: Part;
  readonly apps: readonly Part[];
  readonly workers: readonly Part[];
  /** Gives an alert to the first app's webhook, as its sender does. */
  alert(webhook: string, body: unknown, token?: string): Promise<Response>;
  /**
   * Kills app and workers, since they would wait up to 28 s for work whose records go, deletes these records,
   * and starts them again once `meanwhile` is done.
   */
  startOver(meanwhile: () => Promise<void>): Promise<void>;
  /** Ends every process and removes every file that the stack made. */
  stop(): Promise<void>;
}

/** One process of the product. */
export interface Part {
  readonly name: string;
  readonly pid: number | undefined;
  /** Of Slack's requests; undefined in Socket Mode and for a worker. */
  readonly port: number | undefined;
  /** Of health checks and metrics. */
  readonly statusPort: number | undefined;
  /** Ends it with SIGTERM and waits; gives its exit status. */
  stop(): Promise<number | null>;
  /** Kills it without warning. */
  kill(): Promise<number | null>;
  /** Sends a signal and does not wait. */
  signal(signal: NodeJS.Signals): void;
  /**
   * Starts it again; with `built`, from then on the version that `scripts/bundle.mjs` put into that folder.
   */
  start(built?: string): Promise<void>;
}

/** Starts an app or a worker with this environment; gives its ports, and the function that ends it. */
export type StartPart = (
  kind: 'app' | 'worker',
  env: Readonly<Record<string, string>>,
  onLine: (line: string) => void,
) => Promise<{
  readonly port?: number | undefined;
  readonly statusPort: number;
  stop(): Promise<number>;
}>;

const everything = `apiVersion: rollout-doctor/v1
grants:
  - groups: [ml-oncall]
    namespaces: ["*"]
    actions: "*"
brakes:
  cancelSeconds: 0
  limits:
    - changesPerHour: 1000
`;

const startedWithinMs = 120_000;
const alertsToken = 'token-of-the-demo-0123456789';

/** How a process of the product is started. */
interface Program {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const fromSource = (entry: string): Program => ({ args: ['--import', 'tsx', entry], cwd: root, env: {} });
const sourceOf = { app: 'src/main.ts', worker: 'workers/main.ts' } as const;

/**
 * As `start:app` and `start:worker` of package.json start it, in the folder and the environment of the image.
 */
export async function shippedIn(folder: string, name: keyof typeof sourceOf): Promise<Program> {
  const { scripts } = Manifest.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  const flags = scripts[`start:${name}`].split(' ').filter((word) => word.startsWith('--'));
  const built = resolve(folder);
  const env = { NODE_ENV: 'production' };
  return { args: [...flags, join(built, `${name}.js`)], cwd: dirname(built), env };
}

const Manifest = z.object({ scripts: z.object({ 'start:app': z.string(), 'start:worker': z.string() }) });

/**
 * The whole product on this machine: private Redis, local cluster, local Slack, and the shipped app and
 * workers as processes of their own, which differ from production only in their environment.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { mode = 'socket', apps: appCount = 1, workers: workerCount = 1 } = options;
  const { policy = everything, alerts, git, env = {}, signal } = options;
  const { built = process.env.ROLLOUT_DOCTOR_PROGRAMS } = options;
  let alertsPort: number | undefined;
  const onLog = (name: string, line: string): void => {
    if (name === 'app-1') alertsPort = AlertsLine.safeParse(line).data?.port ?? alertsPort;
    options.onLog?.(name, line);
  };
  const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-'));
  const started: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  let ended = Promise.resolve();
  /** Each call waits for those before it, so that nothing is left when one of them resolves. */
  const stop = (): Promise<void> => {
    ended = ended.then(async () => {
      for (const end of started.splice(0).reverse()) await end();
    });
    return ended;
  };
  const onAbort = () => void stop().catch(() => undefined);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const redis = await startPrivateRedis({
      url: options.ownRedis === true ? undefined : process.env.REDIS_URL,
      appendOnly: true,
    });
    started.push(() => redis.stop());
    const cluster = await createLocalCluster(options.cluster ?? {});
    started.push(() => cluster.close());
    await options.seed?.(cluster);
    const manifest: unknown = JSON.parse(await readFile(join(root, 'manifest.json'), 'utf8'));
    const slack = await createLocalSlack({ manifest, delivery: mode, ...options.slack });
    started.push(() => slack.close());
    const kubeconfigPath = join(folder, 'kubeconfig');
    const policyPath = join(folder, 'policy.yaml');
    await writeFile(kubeconfigPath, cluster.kubeconfig(), { mode: 0o600 });
    await writeFile(policyPath, policy);
    const alertsPath = join(folder, 'alerts.yaml');
    if (alerts !== undefined) await writeFile(alertsPath, alerts);
    const gitPath = join(folder, 'git.yaml');
    if (git !== undefined) await writeFile(gitPath, git);
    const shared = {
      SLACK_MODE: mode,
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_SIGNING_SECRET: slack.signingSecret,
      SLACK_API_URL: slack.apiUrl,
      REDIS_URL: redis.url,
      REDIS_PREFIX: `demo-${process.pid}-${Date.now().toString(36)}`,
      KUBECONFIG: kubeconfigPath,
      POLICY_FILE: policyPath,
      APPROVAL_KEYS: `demo:${randomBytes(32).toString('base64')}`,
      PORT: '0',
      STATUS_PORT: '0',
      VERIFY_EVERY_SECONDS: '1',
      // Tests read the channel; the demo and the tests of private results set it.
      HEALTHY_RESULTS: 'channel',
      LOG_LEVEL: 'info',
      ...(alerts === undefined
        ? {}
        : { ALERTS_FILE: alertsPath, ALERTS_PORT: '0', ALERTS_TOKEN: alertsToken }),
      ...(git === undefined ? {} : { GIT_FILE: gitPath }),
      ...(options.hasDocs === true ? { DOCS_URL: new URL('/docs', slack.url).href } : {}),
      ...env,
    };
    const part = (
      name: 'app' | 'worker',
      number: number,
      own: Readonly<Record<string, string>> = {},
    ): Part => {
      const of = `${name}-${number}`;
      if (options.startPart !== undefined) {
        const { startPart } = options;
        const env = { ...shared, ...own };
        return createStartedPart(of, () => startPart(name, env, (line) => onLog(of, line)));
      }
      const usual = typeof built === 'function' ? built(of) : built;
      const programIn = async (folder = usual): Promise<Program> =>
        folder === undefined ? fromSource(sourceOf[name]) : shippedIn(folder, name);
      return createPart(of, programIn, { ...shared, ...own }, onLog);
    };
    const parts = (count: number, name: 'app' | 'worker'): Part[] =>
      Array.from({ length: count }, (_, number) => part(name, number + 1));
    const apps = parts(appCount, 'app');
    const workers = [
      ...parts(workerCount, 'worker'),
      ...(options.furtherWorkers ?? []).map((own, at) => part('worker', workerCount + at + 1, own)),
    ];
    const [app] = apps;
    if (app === undefined) throw new Error('a stack needs an app');
    for (const part of [...apps, ...workers]) started.push(() => part.stop());
    signal?.throwIfAborted();
    const startParts = async (): Promise<void> => {
      await Promise.all([...apps, ...workers].map((part) => part.start()));
      if (mode === 'http') await slack.talksTo(`http://127.0.0.1:${app.port}/slack/events`);
    };
    await startParts();
    signal?.throwIfAborted();
    signal?.removeEventListener('abort', onAbort);
    const startOver: Stack['startOver'] = async (meanwhile) => {
      await Promise.all([...apps, ...workers].map((part) => part.kill()));
      await deleteKeys(redis.url, shared.REDIS_PREFIX);
      await meanwhile();
      await startParts();
    };
    const alert: Stack['alert'] = (webhook, body, token = alertsToken) =>
      fetch(`http://127.0.0.1:${alertsPort}/alerts/${webhook}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    return { redis, cluster, slack, kubeconfigPath, app, apps, workers, alert, startOver, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function createPart(
  name: string,
  programIn: (folder?: string) => Promise<Program>,
  env: Readonly<Record<string, string>>,
  onLog: ((process: string, line: string) => void) | undefined,
): Part {
  let program: Program | undefined;
  let child: ChildProcess | undefined;
  let ports: StartedLine | undefined;
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const running = child;
    child = undefined;
    if (running === undefined) return null;
    if (running.exitCode !== null || running.signalCode !== null) return running.exitCode;
    const exited = once(running, 'exit');
    running.kill(signal);
    await exited;
    return running.exitCode;
  };
  return {
    name,
    get pid() {
      return child?.pid;
    },
    get port() {
      return ports?.port;
    },
    get statusPort() {
      return ports?.statusPort;
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    signal: (signal) => void child?.kill(signal),
    async start(folder) {
      if (program === undefined || folder !== undefined) program = await programIn(folder);
      const kept = ['PATH', 'HOME', 'LANG', 'NODE_COMPILE_CACHE'].flatMap((key) => {
        const value = process.env[key];
        return value ? [[key, value] as const] : [];
      });
      const started = spawn(process.execPath, program.args, {
        cwd: program.cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
        env: { ...Object.fromEntries(kept), ...program.env, ...env },
      });
      child = started;
      ports = await saysStarted(name, started, onLog);
    },
  };
}

/** A part without a process of its own: it has no signals, and ends in good order only. */
function createStartedPart(name: string, startPart: () => ReturnType<StartPart>): Part {
  let running: Awaited<ReturnType<StartPart>> | undefined;
  const impossible = () => {
    throw new Error(`${name} has no process of its own: a test that kills it belongs to test/system`);
  };
  return {
    name,
    get pid() {
      return running && process.pid;
    },
    get port() {
      return running?.port;
    },
    get statusPort() {
      return running?.statusPort;
    },
    async stop() {
      const ended = running;
      running = undefined;
      return ended === undefined ? null : ended.stop();
    },
    kill: impossible,
    signal: impossible,
    async start() {
      running = await startPart();
    },
  };
}

/** The line with which an app says where it takes alerts. */
const AlertsLine = z
  .string()
  .includes('"msg":"alerts are received"')
  .transform((line): unknown => JSON.parse(line))
  .pipe(z.object({ port: z.number() }));

const StartedLine = z.object({ msg: z.string(), port: z.number().optional(), statusPort: z.number() });
type StartedLine = z.output<typeof StartedLine>;

/** Waits for the line with which a process says that it serves; gives the ports it names. */
async function saysStarted(
  name: string,
  child: ChildProcess,
  onLog: ((process: string, line: string) => void) | undefined,
): Promise<StartedLine> {
  const last: string[] = [];
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${name} did not start in time`)), startedWithinMs);
    const hear = (chunk: Buffer): void => {
      for (const line of chunk.toString().split('\n').filter(Boolean)) {
        onLog?.(name, line);
        last.push(line);
        last.splice(0, last.length - 10);
        if (!line.includes(`"msg":"${name.split('-')[0]} started"`)) continue;
        clearTimeout(timer);
        resolve(StartedLine.parse(JSON.parse(line)));
      }
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('exit', (status) => {
      clearTimeout(timer);
      reject(new Error(`${name} ended with status ${status}:\n${last.join('\n')}`));
    });
  });
}
