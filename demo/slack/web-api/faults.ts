/** Which calls a fault meets. */
export interface Aim {
  /** Such as `chat.update`; all methods when absent. */
  readonly method?: string;
  /** How many calls; all until `stop()` when absent. */
  readonly times?: number;
}

export type Fault =
  | { readonly type: 'rate-limit'; readonly retryAfterSeconds: number }
  | { readonly type: 'server-error'; readonly status: number }
  | { readonly type: 'error'; readonly error: string }
  /** The call is carried out; its answer never comes. */
  | { readonly type: 'no-answer' }
  /** The call is carried out; the connection breaks before the answer. */
  | { readonly type: 'broken-answer' }
  /** Something between answers in place of Slack; `done`: the call is carried out all the same. */
  | ({ readonly type: 'replaced-answer' } & Replacement)
  /** The call waits for `release()` before it is carried out. */
  | { readonly type: 'held'; readonly released: Promise<void> }
  /** The answer comes late. */
  | { readonly type: 'slow'; readonly ms: number };

export interface Replacement {
  readonly body: string | Buffer;
  /** 200 when absent. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly done?: boolean;
}

export interface Switch {
  stop(): void;
  /** Calls met so far. */
  met(): number;
}

export interface Faults {
  /** HTTP 429 with Retry-After. */
  rateLimit(aim: Aim & { readonly retryAfterSeconds: number }): Switch;
  /** HTTP 500, or another status. */
  serverError(aim?: Aim & { readonly status?: number }): Switch;
  /** `ok: false` with this error, such as `channel_not_found`, though all was well. */
  fail(aim: Aim & { readonly error: string }): Switch;
  /** Timeout after success: done, never answered. */
  neverAnswer(aim?: Aim): Switch;
  /** Done, but the connection breaks before the answer. */
  breakAfterSuccess(aim?: Aim): Switch;
  /** Another answer than Slack's own, such as the page of a proxy. */
  replaceAnswer(aim: Aim & Replacement): Switch;
  slow(aim: Aim & { readonly ms: number }): Switch;
  /** Calls wait until released. */
  hold(aim?: Aim): Switch & { release(): void };
  clear(): void;
  /** The fault this call meets, if any; counts it. */
  next(method: string): Fault | undefined;
}

interface Active {
  readonly aim: Aim;
  readonly fault: Fault;
  met: number;
}

export function createFaults(): Faults {
  const active = new Set<Active>();

  function add({ method, times }: Aim, fault: Fault): Switch {
    const aim = { ...(method === undefined ? {} : { method }), ...(times === undefined ? {} : { times }) };
    const entry: Active = { aim, fault, met: 0 };
    active.add(entry);
    return { stop: () => active.delete(entry), met: () => entry.met };
  }

  return {
    rateLimit: ({ retryAfterSeconds, ...aim }) => add(aim, { type: 'rate-limit', retryAfterSeconds }),
    serverError: ({ status = 500, ...aim } = {}) => add(aim, { type: 'server-error', status }),
    fail: ({ error, ...aim }) => add(aim, { type: 'error', error }),
    neverAnswer: (aim = {}) => add(aim, { type: 'no-answer' }),
    breakAfterSuccess: (aim = {}) => add(aim, { type: 'broken-answer' }),
    replaceAnswer: ({ body, status, headers, done, ...aim }) =>
      add(aim, {
        type: 'replaced-answer',
        body,
        ...(status === undefined ? {} : { status }),
        ...(headers === undefined ? {} : { headers }),
        ...(done === undefined ? {} : { done }),
      }),
    slow: ({ ms, ...aim }) => add(aim, { type: 'slow', ms }),
    hold(aim = {}) {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const entry = add(aim, { type: 'held', released });
      return {
        ...entry,
        release() {
          entry.stop();
          release();
        },
      };
    },
    clear: () => active.clear(),
    next(method) {
      for (const entry of active) {
        if (entry.aim.method !== undefined && entry.aim.method !== method) continue;
        entry.met += 1;
        if (entry.aim.times !== undefined && entry.met >= entry.aim.times) active.delete(entry);
        return entry.fault;
      }
      return undefined;
    },
  };
}
