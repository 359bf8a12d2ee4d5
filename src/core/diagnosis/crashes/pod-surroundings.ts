import type { Event } from '../../cluster/event.js';
import type { Node } from '../../cluster/node.js';

/** The context of one pod that its failures depend on. */
export interface PodSurroundings {
  /** Events of the pod, oldest first. */
  readonly events: readonly Event[];
  readonly node: Node | undefined;
  /**
   * The line in which the log of a container names the reason for its end; `undefined` where none was read.
   */
  readonly reasonOf?: (container: string) => string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}
