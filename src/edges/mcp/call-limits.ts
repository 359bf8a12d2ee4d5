/** What one caller may do, and what all of them may do together, in this process. */
interface CallLimits {
  /** Calls of one caller within `windowMs`. */
  readonly maxCalls: number;
  readonly windowMs: number;
  /** Calls of one caller that run at the same time. */
  readonly maxAtOnce: number;
  /** Calls of all callers that run at the same time: each may hold what it reads of a cluster. */
  readonly maxOfAll: number;
}

export type Admission =
  | { readonly type: 'admitted'; readonly release: () => void }
  | { readonly type: 'refused'; readonly afterSeconds: number };

/** Callers that are remembered before those without a recent call are forgotten. */
const maxCallers = 1_000;

/** @param now monotonic milliseconds */
export function createCallLimits({ maxCalls, windowMs, maxAtOnce, maxOfAll }: CallLimits, now: () => number) {
  const starts = new Map<string, number[]>();
  const running = new Map<string, number>();
  let all = 0;
  const recentOf = (caller: string, at: number): number[] =>
    (starts.get(caller) ?? []).filter((start) => start > at - windowMs);

  /** @param caller name of an assistant, or of a person */
  return function admit(caller: string): Admission {
    const at = now();
    if (starts.size >= maxCallers) {
      for (const each of starts.keys()) if (recentOf(each, at).length === 0) starts.delete(each);
    }
    const recent = recentOf(caller, at);
    starts.set(caller, recent);
    const [oldest] = recent;
    if (oldest !== undefined && recent.length >= maxCalls) {
      return { type: 'refused', afterSeconds: Math.ceil((oldest + windowMs - at) / 1_000) };
    }
    const own = running.get(caller) ?? 0;
    if (own >= maxAtOnce || all >= maxOfAll) return { type: 'refused', afterSeconds: 1 };
    recent.push(at);
    running.set(caller, own + 1);
    all += 1;
    let isReleased = false;
    return {
      type: 'admitted',
      release() {
        if (isReleased) return;
        isReleased = true;
        const left = (running.get(caller) ?? 1) - 1;
        if (left > 0) running.set(caller, left);
        else running.delete(caller);
        all -= 1;
      },
    };
  };
}

/**
 * A budget of work for each caller, such as characters to read.
 *
 * @param most within `windowMs`
 * @param now monotonic milliseconds
 * @returns how long the caller has to wait, in seconds; 0 where the work is within the budget, and counted
 */
export function createWorkBudget({ most, windowMs }: { most: number; windowMs: number }, now: () => number) {
  const spent = new Map<string, readonly { readonly at: number; readonly amount: number }[]>();
  return function waitFor(caller: string, amount: number): number {
    const at = now();
    const recent = (spent.get(caller) ?? []).filter((each) => each.at > at - windowMs);
    const total = recent.reduce((sum, each) => sum + each.amount, amount);
    // One that nobody remembers starts anew; the callers are those of the settings and members of the
    // workspace.
    if (spent.size >= maxCallers) spent.clear();
    const [oldest] = recent;
    if (oldest !== undefined && total > most) {
      spent.set(caller, recent);
      return Math.max(1, Math.ceil((oldest.at + windowMs - at) / 1_000));
    }
    spent.set(caller, [...recent, { at, amount }]);
    return 0;
  };
}
