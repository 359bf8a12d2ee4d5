/** Stops a scheduled call; a second stop does nothing. */
export type Cancel = () => void;

/**
 * The cluster's time. Only `advanceTo` moves it until `follow` ties it to the wall clock,
 * so that a history of days is played in milliseconds and tests wait for nothing.
 */
export interface ClusterClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls once when the time is reached; in order of time, then of request. */
  at(time: number, call: () => void): Cancel;
  /** Moves a standing clock forward, through every call that is due on the way. Never backward. */
  advanceTo(time: number): void;
  /** `advanceTo` by so many milliseconds from now. */
  advance(ms: number): void;
  /** From now on the time runs with the wall clock; a clock that is behind jumps to it. */
  follow(): void;
  readonly following: boolean;
  /** Drops all calls; the time stands still afterwards. */
  stop(): void;
}

interface Due {
  readonly time: number;
  readonly order: number;
  readonly call: () => void;
}

/** Node's timers overflow beyond 2³¹ − 1 ms. */
const maxTimerMs = 2_147_483_647;

/** @param start epoch milliseconds at which the clock stands until `follow` */
export function createClock(start: number, wallClock: () => number = Date.now): ClusterClock {
  let standing = start;
  let following = false;
  let order = 0;
  let due: Due[] = [];
  let timer: NodeJS.Timeout | undefined;

  const now = (): number => (following ? Math.max(standing, wallClock()) : standing);

  function next(until: number): Due | undefined {
    const first = due[0];
    if (first === undefined || first.time > until) return undefined;
    due = due.slice(1);
    return first;
  }

  function arm(): void {
    if (timer !== undefined) clearTimeout(timer);
    timer = undefined;
    const first = due[0];
    if (!following || first === undefined) return;
    timer = setTimeout(ring, Math.min(maxTimerMs, Math.max(0, first.time - now())));
    timer.unref();
  }

  function ring(): void {
    for (let each = next(now()); each !== undefined; each = next(now())) each.call();
    arm();
  }

  return {
    now,
    at(time, call) {
      const entry = { time, order: order++, call };
      const index = due.findIndex((other) => other.time > time);
      due = index === -1 ? [...due, entry] : [...due.slice(0, index), entry, ...due.slice(index)];
      arm();
      return () => {
        due = due.filter((other) => other !== entry);
        arm();
      };
    },
    advanceTo(time) {
      if (following) throw new Error('a clock that follows the wall clock cannot be moved');
      for (let each = next(time); each !== undefined; each = next(time)) {
        standing = Math.max(standing, each.time);
        each.call();
      }
      standing = Math.max(standing, time);
    },
    advance(ms) {
      this.advanceTo(standing + ms);
    },
    follow() {
      following = true;
      ring();
    },
    get following() {
      return following;
    },
    stop() {
      standing = now();
      following = false;
      due = [];
      arm();
    },
  };
}
