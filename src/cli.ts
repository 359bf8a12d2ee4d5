#!/usr/bin/env node
import { keepHeapSmall } from './cli/small-heap.js';

// Before the program is loaded, which alone would make V8 take more.
keepHeapSmall();
const [{ processStreams }, { reportUnexpected, runCli }] = await Promise.all([
  import('./cli/output.js'),
  import('./cli/run-cli.js'),
]);
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
});
const args = process.argv.slice(2);
const streams = processStreams();
process.on('uncaughtException', (error) => process.exit(reportUnexpected(error, args, streams)));
process.exitCode = await runCli(args, streams);
