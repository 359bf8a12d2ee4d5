import type { LogStore } from '../recording/log-store.js';
import type { Registry } from '../registry/registry.js';
import type { ClusterView } from './cluster-view.js';
import type { EventRecorder } from './event-recorder.js';

/** What every loop works with. */
export interface LoopContext {
  readonly registry: Registry;
  readonly logs: LogStore;
  readonly events: EventRecorder;
  /** The objects as they are at this moment. */
  view(): ClusterView;
  /** Epoch milliseconds. */
  now(): number;
  /** Looks again at that time, even if nothing was written. */
  wakeAt(time: number): void;
}

/**
 * One controller, scheduler or kubelet: looks at everything there is and writes what is due. Run again
 * without a change it writes nothing.
 */
export type Loop = (context: LoopContext) => void;

/** Makes a loop that remembers something between its runs. */
export type LoopFactory = () => Loop;
