import type { Event } from '../../cluster/event.js';
import type { Node } from '../../cluster/node.js';

/** The context of one pod that its failures depend on. */
export interface PodSurroundings {
  /** Events of the pod, oldest first. */
  readonly events: readonly Event[];
  readonly node: Node | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}
