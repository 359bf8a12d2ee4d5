import { setMaxListeners } from 'node:events';

/** Ends after so many milliseconds. Many requests listen to one of these; Node would take that for a leak. */
export function deadline(ms: number): AbortSignal {
  const signal = AbortSignal.timeout(ms);
  setMaxListeners(0, signal);
  return signal;
}
