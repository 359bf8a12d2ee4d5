import type { Candidate } from './candidate.js';

export interface IntakeLimits {
  /**
   * Revisions remembered, so that the same sign is not taken twice; the one told of longest ago goes first.
   */
  readonly known: number;
  /** Candidates that wait to be queued; the next ones are dropped and counted. */
  readonly waiting: number;
}

export interface Taken {
  readonly candidate: Candidate;
  /** It was looked at before; something else is said of it now, or another pod of it is refused. */
  readonly changed: boolean;
}

/**
 * Turns the signs of lists and watches into candidates to be queued, each once. Mutable: one watcher's
 * memory.
 */
export interface Intake {
  readonly known: number;
  readonly waiting: number;
  /** Candidates dropped so far since nobody took them. */
  readonly dropped: number;
  /** @param now epoch milliseconds */
  see(candidate: Candidate, now: number): void;
  /** The oldest waiting ones whose time has come, no longer waiting. */
  take(max: number, now: number): readonly Taken[];
  /** What was taken and could not be queued. */
  putBack(taken: readonly Taken[]): void;
}

interface Known {
  /** What was said of it so far. */
  readonly said: readonly string[];
  /** The latest first refusal told of, epoch milliseconds. */
  readonly since: number;
  readonly takenAt: number;
}

const saidMost = 8;
/** The same revision is not taken up again earlier, whatever is said of it, in milliseconds. */
const againAfterMs = 60_000;

interface Waiting extends Taken {
  readonly notBefore: number;
}

export function createIntake(limits: IntakeLimits): Intake {
  const known = new Map<string, Known>();
  const waiting = new Map<string, Waiting>();
  let dropped = 0;

  function remember(key: string, entry: Known): void {
    known.delete(key);
    known.set(key, entry);
    const [oldest] = known.keys();
    if (known.size > limits.known && oldest !== undefined) known.delete(oldest);
  }

  function wait(taken: Waiting): boolean {
    const { key } = taken.candidate;
    if (waiting.has(key)) return true;
    if (waiting.size >= limits.waiting) {
      dropped += 1;
      return false;
    }
    waiting.set(key, taken);
    return true;
  }

  return {
    get known() {
      return known.size;
    },
    get waiting() {
      return waiting.size;
    },
    get dropped() {
      return dropped;
    },
    see(candidate, now) {
      const { key, says } = candidate;
      const since = Date.parse(candidate.since ?? '') || 0;
      const before = known.get(key);
      if (before === undefined) {
        if (wait({ candidate, changed: false, notBefore: now }))
          remember(key, { said: [says], since, takenAt: now });
        return;
      }
      if (since <= before.since && before.said.includes(says)) return remember(key, before);
      const notBefore = Math.max(now, before.takenAt + againAfterMs);
      if (!wait({ candidate, changed: true, notBefore })) return;
      const said = [...before.said.filter((each) => each !== says), says].slice(-saidMost);
      remember(key, { said, since: Math.max(since, before.since), takenAt: notBefore });
    },
    take(max, now) {
      const due = [...waiting.values()].filter(({ notBefore }) => notBefore <= now).slice(0, max);
      for (const { candidate } of due) waiting.delete(candidate.key);
      return due.map(({ candidate, changed }) => ({ candidate, changed }));
    },
    putBack(taken) {
      for (const one of taken) waiting.set(one.candidate.key, { ...one, notBefore: 0 });
    },
  };
}

/** When a candidate is looked at, in seconds since its first diagnosis was due. */
const diagnosesAt = [0, 10, 20, 30, 45, 60, 90, 120, 240, 480, 900, 1_800, 3_600] as const;

/**
 * The pause until the next diagnosis, growing: often while a rollout may just be moving and within the first
 * minute, then ever more seldom.
 *
 * @param elapsedMs since the first diagnosis was due
 * @returns milliseconds, `undefined` when it was looked at for an hour: then something has to change first
 */
export function nextDiagnosisMs(elapsedMs: number): number | undefined {
  const next = diagnosesAt.find((seconds) => seconds * 1_000 > elapsedMs);
  return next === undefined ? undefined : next * 1_000 - Math.max(0, elapsedMs);
}

/**
 * The wait before the first diagnosis, so that the refusal stands for `afterSeconds` by then. A cluster whose
 * clock is off neither hurries nor delays it beyond that.
 *
 * @param since RFC3339 by the cluster's clock
 * @param now epoch milliseconds by ours
 */
export function firstDiagnosisMs(since: string | undefined, now: number, afterSeconds: number): number {
  const stoodMs = since === undefined ? 0 : now - Date.parse(since);
  if (Number.isNaN(stoodMs)) return afterSeconds * 1_000;
  return Math.min(afterSeconds * 1_000, Math.max(0, afterSeconds * 1_000 - stoodMs));
}
