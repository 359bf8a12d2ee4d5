import { threadBeside } from '#src/roots/start-engine.js';
import { runWorkerProcess } from '../../../workers/run-worker-process.js';

await runWorkerProcess({
  thread: threadBeside(import.meta.url, 'looping-thread'),
  deadlineSeconds: Number(process.env.TEST_DEADLINE_SECONDS),
});
