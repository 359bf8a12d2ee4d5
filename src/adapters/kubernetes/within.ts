import { setMaxListeners } from 'node:events';

/** Ends after so many milliseconds, or with `signal`. Many requests listen to it; Node.js would take that for a leak. */
export function within(ms: number, signal?: AbortSignal): AbortSignal {
  const deadline = AbortSignal.timeout(ms);
  const either = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  setMaxListeners(0, either);
  return either;
}
