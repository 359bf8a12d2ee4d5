import type { Pod } from '../objects/pod.js';
import type { PodSet } from './pod-set.js';
import { deletedPod } from './simulated-pods.js';
import type { Acted, WorkMeter } from './simulation.js';

type Deletion = { readonly kind: 'delete'; readonly pod: Pod };

/** A controller that creates and deletes pods itself, one sync after the other. */
export interface PodController<State, Creation extends { readonly kind: 'create' }> {
  /** Syncs after which it counts as not at rest. */
  readonly maxRounds: number;
  /** The pods that it sees. */
  readonly members: () => readonly Pod[];
  /** What the work of a sync grows with. */
  readonly workOf: (state: State) => number;
  readonly sync: (state: State) => {
    readonly actions: readonly (Creation | Deletion)[];
    readonly orElse: readonly Pod[];
    /** The state with the status that the sync writes. */
    readonly next: State;
  };
  readonly podFor: (state: State, creation: Creation) => Pod;
}

/**
 * Runs the controller on the pod set, which it changes, until it has nothing to do, waits, or the meter is
 * exhausted.
 */
export function actUntilRest<
  State extends { readonly pods: readonly Pod[]; readonly now: number },
  Creation extends { readonly kind: 'create' },
>(
  { maxRounds, members, workOf, sync, podFor }: PodController<State, Creation>,
  podSet: PodSet,
  start: State,
  admits: (pod: Pod) => boolean,
  meter: WorkMeter,
): Acted<State> {
  let state = start;
  const created: Pod[] = [];
  const deleted: Pod[] = [];
  const orElse: Pod[] = [];
  let refused: Pod[] = [];
  let isAtRest = false;
  for (let round = 0; round < maxRounds && !isAtRest && !meter.isExhausted(); round += 1) {
    state = { ...state, pods: members() };
    meter.spend(workOf(state));
    const synced = sync(state);
    const leaving = new Set(synced.actions.flatMap((action) => (isDeletion(action) ? action.pod : [])));
    for (const pod of leaving) {
      deleted.push(pod);
      const [left] = deletedPod(pod, state.now);
      if (left === undefined) podSet.remove(pod);
      else podSet.replace(pod, left);
    }
    refused = [];
    let made = 0;
    for (const action of synced.actions) {
      if (isDeletion(action) || meter.isExhausted()) continue;
      const pod = podFor(state, action);
      if (!admits(pod)) {
        refused.push(pod);
        continue;
      }
      meter.notePods(1);
      podSet.add(pod);
      created.push(pod);
      made += 1;
    }
    for (const pod of synced.orElse) orElse.push(pod);
    state = synced.next;
    isAtRest = made === 0 && leaving.size === 0;
  }
  return { state, actions: [], created, deleted, orElse, refused, isAtRest };
}

function isDeletion(action: Deletion | { readonly kind: 'create' }): action is Deletion {
  return action.kind === 'delete';
}
