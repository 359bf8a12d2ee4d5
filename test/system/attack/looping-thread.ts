import { answerForEngine } from '#src/edges/threads/engine-in-thread.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { createEngine } from '#src/service/create-engine.js';

/**
 * The rules of the product, one of which never returns on some workloads. Where many wait, it stops the
 * thread at no cost.
 */
const engine = createEngine();
const stopped = new Int32Array(new SharedArrayBuffer(4));
const busyMs = 4_000;
const restMs = 11_000;

answerForEngine({
  ...engine,
  diagnose(snapshot: Snapshot) {
    const { name } = snapshot.workload.metadata;
    if (name === 'poison') loop();
    if (name.startsWith('poison-')) Atomics.wait(stopped, 0, 0);
    return engine.diagnose(snapshot);
  },
});

/** Computes while others are answered and when it is ended. In between it rests, which leaves the processor to others. */
function loop(): never {
  const began = performance.now();
  let hasRested = false;
  for (;;) {
    if (hasRested || performance.now() - began < busyMs) continue;
    Atomics.wait(stopped, 0, 0, restMs);
    hasRested = true;
  }
}
