import { type Config, describeProblems, loadConfig } from './config.js';

const usageStatus = 2;

/** The configuration, or every problem on standard error and exit status 2. */
export function loadConfigOrExit(
  env: Readonly<Record<string, string | undefined>>,
  role: 'app' | 'worker',
): Config {
  const loaded = loadConfig(env, role);
  if (loaded.type === 'config') return loaded.config;
  process.stderr.write(`${describeProblems(loaded.problems)}\n`);
  process.exit(usageStatus);
}
