#!/usr/bin/env node
import { processStreams } from './cli/output.js';
import { runCli } from './cli/run-cli.js';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
});
process.exitCode = await runCli(process.argv.slice(2), processStreams());
