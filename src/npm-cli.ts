#!/usr/bin/env node
import { keepCompiled } from './cli/keep-compiled.js';
import { keepHeapSmall } from './cli/small-heap.js';

// The command line of the npm package: without `doctor`, which inspects an installation with Slack and Redis.
keepHeapSmall();
keepCompiled();
const { runProcess } = await import('./cli/run-process.js');
await runProcess([]);
