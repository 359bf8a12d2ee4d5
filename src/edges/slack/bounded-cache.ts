/** A value and when it was learned, in milliseconds. */
type Entry<Value> = { readonly value: Value; readonly at: number };

interface BoundedCache<Value> {
  /** The value if it is no older than `maxAgeMs`. */
  get(key: string, maxAgeMs: number): Value | undefined;
  set(key: string, value: Value): void;
}

/** Keeps at most `max` values; the one learned longest ago goes first. */
export function createBoundedCache<Value>(max: number, now: () => number): BoundedCache<Value> {
  const entries = new Map<string, Entry<Value>>();
  return {
    get(key, maxAgeMs) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      const ageMs = now() - entry.at;
      // After the clock was set back, the age is unknown.
      return ageMs >= 0 && ageMs <= maxAgeMs ? entry.value : undefined;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, { value, at: now() });
      if (entries.size <= max) return;
      const oldest = entries.keys().next().value;
      if (oldest !== undefined) entries.delete(oldest);
    },
  };
}
