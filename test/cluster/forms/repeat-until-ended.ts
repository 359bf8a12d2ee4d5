import { setTimeout as delay } from 'node:timers/promises';

/**
 * Acts in place of a controller, again and again. Returns what ends it, which rejects where an act has
 * failed.
 */
export function repeatUntilEnded(act: () => Promise<void>): () => Promise<void> {
  let isOver = false;
  const loop = async (): Promise<void> => {
    while (!isOver) {
      await act();
      await delay(200);
    }
  };
  const running = loop();
  // A failed act is reported when it is ended, not as an unhandled rejection before.
  running.catch(() => undefined);
  return async () => {
    isOver = true;
    await running;
  };
}
