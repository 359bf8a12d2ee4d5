import type { App } from '@slack/bolt';

/** Requests from Slack that were acknowledged and are still being worked on. */
export interface UnderWay {
  /** Waits until nothing is under way, for at most `graceMs`. */
  finish(graceMs: number): Promise<void>;
}

/**
 * Counts what the app's listeners work on, so that a process that ends carries out what it has acknowledged.
 */
export function followUnderWay(app: App): UnderWay {
  const running = new Set<Promise<unknown>>();
  app.use(async ({ next }) => {
    const work = next();
    running.add(work);
    try {
      await work;
    } finally {
      running.delete(work);
    }
  });
  return {
    async finish(graceMs) {
      let deadline: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        deadline = setTimeout(resolve, graceMs);
      });
      await Promise.race([Promise.allSettled([...running]), late]);
      clearTimeout(deadline);
    },
  };
}
