/** Bounds how much of one key runs at the same time in this process. */
export interface Slots {
  /**
   * Takes a slot of every key; gives the function that frees them, or `undefined` where one has all in use.
   */
  take(keys: readonly string[]): (() => void) | undefined;
}

export function createSlots(maxPerKey: number): Slots {
  const inUse = new Map<string, number>();
  const add = (key: string, count: number): void => {
    const next = (inUse.get(key) ?? 0) + count;
    if (next === 0) inUse.delete(key);
    else inUse.set(key, next);
  };
  return {
    take(keys) {
      if (keys.some((key) => (inUse.get(key) ?? 0) >= maxPerKey)) return undefined;
      for (const key of keys) add(key, 1);
      return () => {
        for (const key of keys) add(key, -1);
      };
    },
  };
}
