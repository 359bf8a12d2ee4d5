import { createThreadPool } from './adapters/threads/thread-pool.js';
import type { ManifestReader, WorkloadsRead } from './mcp/read-workloads.js';
import { threadBeside } from './thread-beside.js';

/** A thread of its own: no caller takes those that review what people click. */
export function startManifestReader(): ManifestReader & { close(): Promise<void> } {
  const pool = createThreadPool({
    entry: threadBeside(import.meta.url, 'manifest-thread'),
    maxThreads: 1,
    maxWaiting: 8,
    maxWaitMs: 20_000,
    deadlineMs: 10_000,
    maxHeapMb: 256,
    idleMs: 30_000,
  });
  return {
    async read(text, caller) {
      const outcome = await pool.run({ method: 'read', args: text, fairnessKey: caller });
      switch (outcome.type) {
        case 'answered':
          return outcome.value as WorkloadsRead;
        case 'busy':
          return outcome;
        case 'ended':
          if (outcome.because === 'failure') throw new Error('the thread that reads manifests failed');
          return { type: 'refused', because: 'too-large' };
        case 'threw':
          throw outcome.error;
      }
    },
    close: () => pool.close(),
  };
}
