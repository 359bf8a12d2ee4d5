import { basename } from 'node:path';
import type { AddCommand } from './create-program.js';
import { programName } from './help-pages.js';
import { processStreams } from './output.js';
import { reportUnexpected, runCli } from './run-cli.js';

/**
 * Runs the command line on the arguments and streams of this process, and sets the exit status.
 *
 * @param further adds commands that not every distribution has
 */
export async function runProcess(further: readonly AddCommand[]): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
  });
  const args = process.argv.slice(2);
  const streams = processStreams();
  process.on('uncaughtException', (error) => process.exit(reportUnexpected(error, args, streams)));
  process.exitCode = await runCli(args, streams, { further, name: nameOf(process.argv[1] ?? '') });
}

/** kubectl starts its plugins as `kubectl-rollout_doctor`. */
function nameOf(path: string): string {
  return basename(path).startsWith('kubectl-') ? `kubectl ${programName}` : programName;
}
