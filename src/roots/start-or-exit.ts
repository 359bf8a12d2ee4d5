import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { connectClusters } from '../edges/kubernetes/cluster-connection.js';
import { ContextUnknown } from '../edges/kubernetes/kubeconfig.js';
import { logConsole } from '../edges/log/create-log.js';
import { badTokens } from '../edges/slack/slack-identity.js';
import { languageOfEnvironment } from '../engine/language/language.js';
import { type SettingProblem, settingProblem } from '../service/inspect/setting-problem.js';
import { type Config, describeProblems, type Loaded, loadConfig } from '../settings/config.js';
import { type Environment, givenValue } from '../settings/config-variable.js';
import { variables } from '../settings/config-variables.js';
import { variableOf } from '../settings/load-slack.js';

/**
 * Starts the servers and connections of a process. A setting that only shows to be wrong by then, such as a
 * port that is taken, ends the process with status 2 like other wrong settings.
 */
export async function startOrExit<Started>(config: Config, start: () => Promise<Started>): Promise<Started> {
  try {
    return await start();
  } catch (error) {
    const problem = startProblem(error, config);
    if (problem === undefined) throw error;
    return exitWithProblems([problem]);
  }
}

/**
 * An error that nobody expected ends the process with one line in the log, and whatever libraries print goes
 * there too.
 */
export function logEverything(log: Logger): void {
  logConsole(log);
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'an unexpected error ends the process');
    process.exit(1);
  });
}

interface NodeError {
  readonly code?: unknown;
  readonly port?: unknown;
  readonly data?: { readonly error?: unknown };
}

function startProblem(error: unknown, config: Config): SettingProblem | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, port, data } = error as NodeError;
  if (typeof port === 'number' && (code === 'EADDRINUSE' || code === 'EACCES')) {
    const where =
      port === config.statusPort ? 'STATUS_PORT' : port === config.alertsPort ? 'ALERTS_PORT' : 'PORT';
    return settingProblem(where, 'port-unusable', { port, problem: code });
  }
  // The bot token was verified before: Slack refuses the other one, as the connection of Socket Mode is
  // opened.
  const refusal = data?.error;
  return typeof refusal === 'string' && badTokens.has(refusal)
    ? settingProblem(variableOf('appToken', config), 'token-refused', { error: refusal })
    : undefined;
}

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
export async function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(1);
        asked = true;
        resolve(signal);
      });
    }
  });
}

/**
 * Ends the process: with status 0 once `stop` gives true, with 1 when it gives false, fails, or takes longer
 * than `graceMs`. What is still open then, such as a connection to a server that is away, does not keep the
 * process alive.
 */
export async function exitAfter(graceMs: number, stop: () => Promise<boolean>): Promise<never> {
  const late = setTimeout(graceMs, false);
  const isDone = await Promise.race([stop().catch(() => false), late]);
  process.exit(isDone ? 0 : 1);
}

const usageStatus = 2;

/** The configuration, or every problem on standard error and exit status 2. */
export function loadConfigOrExit(env: Environment, role: 'app' | 'worker'): Config {
  const loaded = loadConfig(env, role);
  const problems = [...(loaded.type === 'invalid' ? loaded.problems : []), ...clusterProblems(env, loaded)];
  if (loaded.type === 'config' && problems.length === 0) return loaded.config;
  return exitWithProblems(problems);
}

/**
 * Reports wrong settings on standard error, in the language of the environment, and ends the process with
 * status 2.
 */
export function exitWithProblems(problems: readonly SettingProblem[]): never {
  process.stderr.write(`${describeProblems(problems, languageOfEnvironment(process.env))}\n`);
  process.exit(usageStatus);
}

/** What keeps the kubeconfig from naming the clusters; other settings may be wrong at the same time. */
function clusterProblems(env: Environment, loaded: Loaded): readonly SettingProblem[] {
  const given = (key: 'clusterAccess' | 'clusterName') => givenValue(env, variables[key].name);
  if (given('clusterAccess') === 'workers' && given('clusterName') === undefined) return [];
  const kubeconfig =
    loaded.type === 'config' ? loaded.config.kubeconfig : givenValue(env, variables.kubeconfig.name);
  const contexts =
    loaded.type === 'config'
      ? loaded.config.clusters
      : variables.clusters.schema.parse(givenValue(env, variables.clusters.name));
  try {
    const connections = connectClusters({ kubeconfig, contexts });
    return connections.length > 0 ? [] : [settingProblem(variables.kubeconfig.name, 'kubeconfig-empty', {})];
  } catch (error) {
    if (error instanceof ContextUnknown) {
      const { context, nearest, known } = error;
      return [settingProblem(variables.clusters.name, 'context-unknown', { context, nearest, known })];
    }
    const problem = error instanceof Error ? error.message : String(error);
    return [settingProblem(variables.kubeconfig.name, 'kubeconfig-unusable', { problem })];
  }
}

/**
 * Sends traces where a collector is configured; its client is loaded only then. @returns the function that
 * ends it
 */
export async function followTraces(
  { otlpEndpoint }: Pick<Config, 'otlpEndpoint'>,
  process: 'app' | 'worker',
): Promise<() => Promise<void>> {
  if (otlpEndpoint === undefined) return async () => undefined;
  const { startTracing } = await import('../edges/telemetry/start-tracing.js');
  return startTracing({ endpoint: otlpEndpoint, process });
}
