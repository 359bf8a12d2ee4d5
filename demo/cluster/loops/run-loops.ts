import type { Cancel } from '../clock.js';
import type { ClusterState } from '../cluster-state.js';
import { createClusterViews } from './cluster-view.js';
import { createEventRecorder } from './event-recorder.js';
import type { Loop, LoopContext } from './loop.js';

export interface RunningLoops {
  /** Runs all loops, in order, until none of them writes anything. */
  settle(): void;
  stop(): void;
}

/** A cluster that is still writing after so many rounds is going in circles. */
const maxRounds = 2_000;

/**
 * Runs the loops whenever something was written or a time has come that one of them waits for. With a
 * standing clock nothing happens until `settle` is called or the clock is moved; with one that follows the
 * wall clock it goes by itself.
 */
export function runLoops({ registry, logs }: ClusterState, loops: readonly Loop[]): RunningLoops {
  const { store, clock } = registry;
  let cancel: Cancel = () => undefined;
  let pending: NodeJS.Immediate | undefined;
  let settling = false;
  let stopped = false;
  let wake = Number.POSITIVE_INFINITY;
  const context: LoopContext = {
    registry,
    logs,
    events: createEventRecorder(registry),
    view: createClusterViews(store),
    now: () => clock.now(),
    wakeAt(time) {
      if (time > clock.now()) wake = Math.min(wake, time);
    },
  };

  function settle(): void {
    if (settling || stopped) return;
    settling = true;
    cancel();
    try {
      let before = -1;
      for (let round = 0; before !== store.revision; round += 1) {
        if (round > maxRounds) throw new Error('the loops do not come to rest');
        before = store.revision;
        wake = Number.POSITIVE_INFINITY;
        for (const loop of loops) loop(context);
      }
      if (Number.isFinite(wake)) cancel = clock.at(wake, settle);
    } finally {
      settling = false;
    }
  }

  const unsubscribe = store.subscribe(() => {
    if (settling || pending !== undefined) return;
    pending = setImmediate(() => {
      pending = undefined;
      settle();
    });
  });
  return {
    settle,
    stop() {
      stopped = true;
      unsubscribe();
      cancel();
      if (pending !== undefined) clearImmediate(pending);
    },
  };
}
