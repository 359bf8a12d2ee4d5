#!/usr/bin/env node
import { keepCompiled } from './edges/cli/keep-compiled.js';
import { keepHeapSmall } from './edges/cli/small-heap.js';

// The command line of the npm package: without `doctor`, which inspects an installation with Slack and Redis.
keepHeapSmall();
keepCompiled();
const { runProcess } = await import('./edges/cli/run-process.js');
await runProcess([]);
