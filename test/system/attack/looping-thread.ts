import { answerForEngine } from '#src/edges/threads/engine-in-thread.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { createEngine } from '#src/service/create-engine.js';

/**
 * The rules of the product, one of which never returns on some workloads. Where many wait, it stops the
 * thread at no cost.
 */
const engine = createEngine();
const stopped = new Int32Array(new SharedArrayBuffer(4));
answerForEngine({
  ...engine,
  diagnose(snapshot: Snapshot) {
    const { name } = snapshot.workload.metadata;
    for (let n = 0; name === 'poison'; n += 1) if (n < 0) break;
    if (name.startsWith('poison-')) Atomics.wait(stopped, 0, 0);
    return engine.diagnose(snapshot);
  },
});
