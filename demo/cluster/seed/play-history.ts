import { keyOf } from '../api-object.js';
import { createClock } from '../clock.js';
import { type ClusterState, createClusterState } from '../cluster-state.js';
import type { JsonObject } from '../json.js';
import type { LocalCluster } from '../local-cluster.js';
import { allLoops } from '../loops/all-loops.js';
import { runLoops } from '../loops/run-loops.js';

/** A cluster whose past is being played. */
export interface Past {
  readonly state: ClusterState;
  /** Moves its clock, with everything that controllers, scheduler and kubelets do on the way. */
  advanceTo(time: number): void;
}

/**
 * Plays a story in a cluster of its own that begins at `from` (epoch milliseconds), and puts what is there at
 * the end into `cluster`. So the objects, their ages, conditions, Events and logs come about as they would,
 * days in a moment.
 *
 * @param nameSeed of names and uids: another one gives others
 */
export function playHistory(
  cluster: LocalCluster,
  from: number,
  story: (past: Past) => void,
  nameSeed = 7,
): void {
  const clock = createClock(from);
  const state = createClusterState(clock, nameSeed);
  const loops = runLoops(state, allLoops({}));
  story({
    state,
    advanceTo(time) {
      loops.settle();
      clock.advanceTo(time);
      loops.settle();
    },
  });
  loops.stop();
  clock.stop();
  const { store } = state.registry;
  const objects: JsonObject[] = store.resources.flatMap((resource) =>
    store
      .list(resource)
      .filter((object) => cluster.registry.store.get(resource, keyOf(object)) === undefined),
  );
  cluster.load(objects);
  cluster.logs.load(state.logs.all());
}
