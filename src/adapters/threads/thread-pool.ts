import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

export interface ThreadPoolOptions {
  /** Module that every thread runs; it calls `answerCalls`. */
  readonly entry: URL;
  readonly maxThreads: number;
  /** Calls that wait for a thread; one more is answered with `busy`. */
  readonly maxWaiting: number;
  /** How long a call waits for a thread before it is answered with `busy`, in milliseconds. */
  readonly maxWaitMs: number;
  /** How long a call computes once the thread has its input, in milliseconds. */
  readonly deadlineMs: number;
  /** Heap of one thread in MiB; a call that needs more is ended. */
  readonly maxHeapMb: number;
  /** An idle thread ends after this, which frees its memory; in milliseconds. */
  readonly idleMs: number;
}

export interface Call {
  readonly method: string;
  readonly args: unknown;
  /** Large input in pieces, which several calls share: a thread that received it last does not receive it again. */
  readonly shared: { readonly key: object; pieces(): Iterable<unknown> };
  /** Calls of one key leave a thread for the others, where there are two or more. */
  readonly fairnessKey: string;
}

export type CallOutcome =
  | { readonly type: 'answered'; readonly value: unknown }
  | { readonly type: 'threw'; readonly error: unknown }
  /** The thread is gone: the call took too long, needed too much memory, or the thread failed by itself. */
  | { readonly type: 'ended'; readonly because: 'deadline' | 'memory' | 'failure' }
  /** No thread was free in time; nothing was computed. */
  | { readonly type: 'busy' };

export interface ThreadPool {
  run(call: Call): Promise<CallOutcome>;
  /** Ends every thread; calls that run or wait are answered with `ended`. */
  close(): Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  /** Resolves when the thread's module is loaded. */
  readonly loaded: Promise<void>;
  /** The shared input that the thread holds. */
  holds: WeakRef<object> | undefined;
  running: string | undefined;
  onOutcome: (outcome: CallOutcome) => void;
  idle: NodeJS.Timeout | undefined;
}

interface Waiting {
  readonly call: Call;
  readonly resolve: (outcome: CallOutcome) => void;
  readonly timer: NodeJS.Timeout;
}

/** A loaded machine takes seconds to load the modules of a thread. */
const maxLoadMs = 60_000;

/**
 * Runs pure computations in threads, one call a thread at a time. The deadline also ends a busy loop, and the event
 * loop of the process stays free: shared input is posted piece by piece. Threads start on demand.
 *
 * A library for thread pools counts the time in the queue as time of the call, and knows no fairness between callers.
 */
export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const { maxThreads, maxWaiting, maxWaitMs, deadlineMs, idleMs } = options;
  const threads = new Set<Thread>();
  /** Threads that were told to end; native code cannot be interrupted, so that some take a while. */
  const ending = new Set<Promise<unknown>>();
  const waiting: Waiting[] = [];
  let closed = false;
  return { run, close };

  function run(call: Call): Promise<CallOutcome> {
    if (closed) return Promise.resolve({ type: 'ended', because: 'failure' });
    if (waiting.length >= maxWaiting) return Promise.resolve({ type: 'busy' });
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(entry), 1);
        resolve({ type: 'busy' });
      }, maxWaitMs);
      const entry = { call, resolve, timer };
      waiting.push(entry);
      startNext();
    });
  }

  function startNext(): void {
    for (const entry of [...waiting]) {
      const thread = isFair(entry.call) ? freeThread(entry.call.shared.key) : undefined;
      if (thread === undefined) continue;
      waiting.splice(waiting.indexOf(entry), 1);
      clearTimeout(entry.timer);
      void execute(thread, entry.call).then((outcome) => {
        entry.resolve(outcome);
        startNext();
      });
    }
  }

  function isFair({ fairnessKey }: Call): boolean {
    const ofKey = [...threads].filter(({ running }) => running === fairnessKey);
    return ofKey.length < Math.max(1, maxThreads - 1);
  }

  function freeThread(key: object): Thread | undefined {
    const free = [...threads].filter(({ running }) => running === undefined);
    const found = free.find(({ holds }) => holds?.deref() === key) ?? free[0];
    if (found !== undefined) return found;
    if (threads.size >= maxThreads || threads.size + ending.size >= 2 * maxThreads) return undefined;
    return startThread(options, threads);
  }

  async function execute(thread: Thread, call: Call): Promise<CallOutcome> {
    const { worker } = thread;
    thread.running = call.fairnessKey;
    clearTimeout(thread.idle);
    worker.ref();
    let deadline: NodeJS.Timeout | undefined;
    const endsAfter = (ms: number, because: 'deadline' | 'failure'): void => {
      clearTimeout(deadline);
      deadline = setTimeout(() => end(thread, { type: 'ended', because }), ms);
    };
    const outcome = new Promise<CallOutcome>((resolve) => {
      thread.onOutcome = resolve;
    });
    endsAfter(maxLoadMs, 'failure');
    const posted = post(thread, call).then(
      () => endsAfter(deadlineMs, 'deadline'),
      (error: unknown) => end(thread, { type: 'threw', error }),
    );
    const result = await outcome;
    void posted.finally(() => clearTimeout(deadline));
    clearTimeout(deadline);
    thread.running = undefined;
    worker.unref();
    thread.idle = setTimeout(() => end(thread), idleMs);
    thread.idle.unref();
    return result;
  }

  function end(thread: Thread, outcome: CallOutcome = { type: 'ended', because: 'failure' }): void {
    clearTimeout(thread.idle);
    threads.delete(thread);
    const ended = thread.worker.terminate().finally(() => {
      ending.delete(ended);
      startNext();
    });
    ending.add(ended);
    thread.onOutcome(outcome);
  }

  async function close(): Promise<void> {
    closed = true;
    for (const { resolve, timer } of waiting.splice(0)) {
      clearTimeout(timer);
      resolve({ type: 'ended', because: 'failure' });
    }
    for (const thread of [...threads]) end(thread);
    await Promise.all(ending);
  }
}

async function post(thread: Thread, { method, args, shared }: Call): Promise<void> {
  await thread.loaded;
  const isHeld = thread.holds?.deref() === shared.key;
  if (!isHeld) {
    thread.holds = undefined;
    thread.worker.postMessage({ type: 'begin' });
    for (const piece of shared.pieces()) {
      thread.worker.postMessage({ type: 'piece', piece });
      await setImmediate();
    }
    thread.holds = new WeakRef(shared.key);
  }
  thread.worker.postMessage({ type: 'call', method, args });
}

type Posted =
  | { readonly type: 'loaded' }
  | { readonly type: 'answered'; readonly value: unknown }
  | { readonly type: 'threw'; readonly error: unknown };

function startThread({ entry, maxHeapMb }: ThreadPoolOptions, threads: Set<Thread>): Thread {
  const worker = new Worker(moduleOf(entry), {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 16 },
  });
  let hasLoaded = (): void => undefined;
  const loaded = new Promise<void>((resolve) => {
    hasLoaded = resolve;
  });
  const thread: Thread = {
    worker,
    loaded,
    holds: undefined,
    running: undefined,
    onOutcome: () => undefined,
    idle: undefined,
  };
  threads.add(thread);
  let because: 'memory' | 'failure' = 'failure';
  worker.on('message', (message: Posted) => {
    if (message.type === 'loaded') hasLoaded();
    else thread.onOutcome(message);
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') because = 'memory';
  });
  worker.on('exit', () => {
    clearTimeout(thread.idle);
    threads.delete(thread);
    thread.onOutcome({ type: 'ended', because });
  });
  return thread;
}

/** The sources are TypeScript, which a thread reads only with tsx; what is built needs nothing. */
function moduleOf(entry: URL): string {
  const load = `import(${JSON.stringify(entry.href)})`;
  if (!entry.pathname.endsWith('.ts')) return load;
  return `import('tsx/esm/api').then(({ register }) => { register(); return ${load}; })`;
}
