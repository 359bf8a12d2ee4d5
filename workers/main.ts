import { runWorkerProcess } from './run-worker-process.js';

await runWorkerProcess();
