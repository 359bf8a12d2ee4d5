import type { Logger } from 'pino';
import { logConsole } from '../edges/log/log-console.js';
import { badTokens } from '../edges/slack/slack-identity.js';
import { type SettingProblem, settingProblem } from '../service/inspect/setting-problem.js';
import type { Config } from '../settings/config.js';
import { variableOf } from '../settings/load-slack.js';
import { exitWithProblems } from './config-or-exit.js';

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
