import { setMaxListeners } from 'node:events';

/** Ends after so many milliseconds, or with `signal`. */
export function within(ms: number, signal?: AbortSignal): AbortSignal {
  const deadline = AbortSignal.timeout(ms);
  return manyRequests(signal === undefined ? deadline : AbortSignal.any([deadline, signal]));
}

/** Allows a signal to end many requests at once; Node.js would take their listeners for a leak. */
export function manyRequests(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}
