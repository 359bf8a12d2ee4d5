/** Tells listeners that something changed, at most once a turn of the event loop. */
export interface Changes {
  /** Counts every change. */
  revision(): number;
  /** Notes a change; gives its number. */
  note(): number;
  /** @returns what to call to hear no more */
  listen(listener: () => void): () => void;
}

export function createChanges(): Changes {
  const listeners = new Set<() => void>();
  let revision = 0;
  let pending = false;
  return {
    revision: () => revision,
    note() {
      revision += 1;
      if (!pending) {
        pending = true;
        queueMicrotask(() => {
          pending = false;
          for (const listener of [...listeners]) listener();
        });
      }
      return revision;
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const recheckMs = 200;

export interface UntilOptions {
  /** Deadline in real milliseconds; 90 s when absent: a deadline for slow machines, not a measure. */
  readonly withinMs?: number;
  /** What is waited for, for the error. */
  readonly what?: string;
}

/**
 * Waits until a condition holds. It is checked at once, after each change, and a few times a second: it may
 * be about a cluster, which changes without a change here.
 *
 * @param condition gives the wanted value, or `undefined` or `false` while it is not there
 * @param describe tells the state when the deadline passes
 */
export function until<Value>(
  changes: Changes,
  condition: () => Value | undefined | false,
  describe: () => string,
  { withinMs = 90_000, what = 'the condition' }: UntilOptions = {},
): Promise<Value> {
  return new Promise<Value>((resolve, reject) => {
    let stop = () => {};
    const deadline = setTimeout(() => {
      stop();
      reject(new Error(`Waited ${withinMs} ms in vain for ${what}. ${describe()}`));
    }, withinMs);
    const look = () => {
      try {
        const value = condition();
        if (value === undefined || value === false) return;
        clearTimeout(deadline);
        stop();
        resolve(value);
      } catch (error) {
        clearTimeout(deadline);
        stop();
        reject(error);
      }
    };
    const unlisten = changes.listen(look);
    const timer = setInterval(look, recheckMs);
    stop = () => {
      unlisten();
      clearInterval(timer);
    };
    look();
  });
}
