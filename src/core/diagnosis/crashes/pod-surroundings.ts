import type { Event } from '../../cluster/event.js';
import type { Node } from '../../cluster/node.js';

/** What else bears on one pod. */
export interface PodSurroundings {
  /** Of the pod, oldest first. */
  readonly events: readonly Event[];
  readonly node: Node | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}
