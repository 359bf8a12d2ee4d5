/** What one caller may do, and what all of them may do together, in this process. */
export interface CallLimits {
  /** Calls of one caller in a minute. */
  readonly maxPerMinute: number;
  /** Calls of one caller that run at the same time. */
  readonly maxAtOnce: number;
  /** Calls of all callers that run at the same time: each may hold what it reads of a cluster. */
  readonly maxOfAll: number;
}

export type Admission =
  | { readonly type: 'admitted'; readonly release: () => void }
  | { readonly type: 'refused'; readonly afterSeconds: number };

const minuteMs = 60_000;

/** @param now monotonic milliseconds */
export function createCallLimits({ maxPerMinute, maxAtOnce, maxOfAll }: CallLimits, now: () => number) {
  const starts = new Map<string, number[]>();
  const running = new Map<string, number>();
  let all = 0;
  /** @param caller name of an assistant; the settings bound how many there are */
  return function admit(caller: string): Admission {
    const at = now();
    const recent = (starts.get(caller) ?? []).filter((start) => start > at - minuteMs);
    starts.set(caller, recent);
    const [oldest] = recent;
    if (oldest !== undefined && recent.length >= maxPerMinute) {
      return { type: 'refused', afterSeconds: Math.ceil((oldest + minuteMs - at) / 1_000) };
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
        running.set(caller, (running.get(caller) ?? 1) - 1);
        all -= 1;
      },
    };
  };
}
