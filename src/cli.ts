#!/usr/bin/env node
import { keepCompiled } from './edges/cli/keep-compiled.js';
import { keepHeapSmall } from './edges/cli/small-heap.js';

// Before the program is loaded, which alone would make V8 take more.
keepHeapSmall();
keepCompiled();
const [{ runProcess }, { addDoctorCommand }, { addClusterKeysCommand }] = await Promise.all([
  import('./edges/cli/run-process.js'),
  import('./edges/cli/add-doctor-command.js'),
  import('./edges/cli/add-cluster-keys-command.js'),
]);
await runProcess([addDoctorCommand, addClusterKeysCommand]);
