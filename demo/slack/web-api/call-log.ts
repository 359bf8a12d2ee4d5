import type { Json } from '../json.js';

/** One call the app made to the Web API. */
export interface ApiCall {
  readonly method: string;
  readonly args: Json;
  /** Milliseconds since 1970, by the injected clock. */
  readonly at: number;
  readonly status: number;
  /** What was answered, or would have been where the answer got lost. */
  readonly answer: Json;
  /** False when a fault kept the answer back. */
  readonly answered: boolean;
}

export interface CallLog {
  readonly all: readonly ApiCall[];
  add(call: ApiCall): void;
}

export function createCallLog(changed: () => void): CallLog {
  const all: ApiCall[] = [];
  return {
    all,
    add(call) {
      all.push(call);
      changed();
    },
  };
}
