import { runWorkerProcess } from '../../../workers/run-worker-process.js';

await runWorkerProcess({
  thread: new URL('./looping-thread.ts', import.meta.url),
  deadlineSeconds: Number(process.env.TEST_DEADLINE_SECONDS),
});
