#!/usr/bin/env node
import { start } from './edges/cli/start.js';

// The command line of the npm package: without `doctor`, which inspects an installation with Slack and Redis.
await start(async () => []);
