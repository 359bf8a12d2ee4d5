import type { Recorded } from './recorded.js';

/** Counts what a property met, so that it can be stated that it met anything. */
export type Saw = (what: string) => void;

/** A property that every recording has. */
export interface Property {
  readonly name: string;
  /** The recordings that it is about; all of them when absent. */
  readonly of?: (recorded: Recorded) => boolean;
  readonly check: (recorded: Recorded, saw: Saw) => void | Promise<void>;
  /** Checks how often each thing was met in all recordings together. */
  readonly whole?: (seen: ReadonlyMap<string, number>) => void;
}
