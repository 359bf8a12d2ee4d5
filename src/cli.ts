#!/usr/bin/env node
import { keepCompiled } from './cli/keep-compiled.js';
import { keepHeapSmall } from './cli/small-heap.js';

// Before the program is loaded, which alone would make V8 take more.
keepHeapSmall();
keepCompiled();
const [{ runProcess }, { addDoctorCommand }, { addClusterKeysCommand }] = await Promise.all([
  import('./cli/run-process.js'),
  import('./cli/add-doctor-command.js'),
  import('./cli/add-cluster-keys-command.js'),
]);
await runProcess([addDoctorCommand, addClusterKeysCommand]);
