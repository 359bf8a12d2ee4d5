/** The bytes of one body, for as long as they are in memory. */
export interface BodyHold {
  /** Adds bytes. False: they may not be kept, and the hold is released. */
  take(bytes: number): boolean;
  /** The body is complete: others cannot displace it any more. */
  complete(): void;
  release(): void;
}

/** Counts the bytes of bodies in memory over all connections. */
export interface BodyBudget {
  readonly maxBytes: number;
  /** @param onDisplaced the body must be given up for a newer one; the hold is released */
  hold(onDisplaced: () => void): BodyHold;
}

/**
 * When the bytes run out, the oldest incomplete body is given up: a sender of ordinary speed is faster than
 * the limit is reached again, and slow senders cannot keep the budget to themselves.
 */
export function createBodyBudget(maxBytes: number): BodyBudget {
  let used = 0;
  /** Incomplete bodies, oldest first. */
  const incomplete = new Map<BodyHold, { bytes: number; readonly onDisplaced: () => void }>();
  const completed = new Set<BodyHold>();

  function displaceOldest(): boolean {
    for (const [hold, { bytes, onDisplaced }] of incomplete) {
      incomplete.delete(hold);
      used -= bytes;
      onDisplaced();
      return true;
    }
    return false;
  }

  return {
    maxBytes,
    hold(onDisplaced) {
      const entry = { bytes: 0, onDisplaced };
      const hold: BodyHold = {
        take(bytes) {
          if (!incomplete.has(hold)) return false;
          entry.bytes += bytes;
          used += bytes;
          while (used > maxBytes && displaceOldest());
          return incomplete.has(hold);
        },
        complete() {
          if (incomplete.delete(hold)) completed.add(hold);
        },
        release() {
          if (incomplete.delete(hold) || completed.delete(hold)) used -= entry.bytes;
        },
      };
      incomplete.set(hold, entry);
      return hold;
    },
  };
}
