import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { DoctorError, type DoctorErrorOptions } from '../../service/errors.js';

export interface ThreadPoolOptions {
  /** Module that every thread runs; it calls `answerCalls`. */
  readonly entry: URL;
  readonly maxThreads: number;
  /** Calls that wait for a thread; one more is answered with `busy`. */
  readonly maxWaiting: number;
  /** How long a call waits for a thread before it is answered with `busy`, in milliseconds. */
  readonly maxWaitMs: number;
  /** How long a call takes once the thread has its input, in milliseconds. */
  readonly deadlineMs: number;
  /** How long it computes within that; what it waits for, such as the network, does not count. */
  readonly maxComputingMs?: number;
  /** Heap of one thread in MiB; a call that needs more is ended. */
  readonly maxHeapMb: number;
  /** An idle thread ends after this, which frees its memory; in milliseconds. */
  readonly idleMs: number;
  /** Given to each thread, which finds it as `threadData`. */
  readonly data?: unknown;
}

export interface Call {
  readonly method: string;
  readonly args: unknown;
  /**
   * Large input in pieces, which several calls share: a thread that received it last does not receive it
   * again.
   */
  readonly shared?: { readonly key: object; pieces(): Iterable<unknown> };
  /** Calls of one key leave a thread for the others, where there are two or more. */
  readonly fairnessKey: string;
}

export type CallOutcome =
  | { readonly type: 'answered'; readonly value: unknown }
  | { readonly type: 'threw'; readonly error: unknown }
  /**
   * The thread is gone: the call took or computed too long, needed too much memory, or the thread failed by
   * itself.
   */
  | { readonly type: 'ended'; readonly because: Ended }
  /** No thread was free in time; nothing was computed. */
  | { readonly type: 'busy' };

type Ended = 'deadline' | 'computing' | 'memory' | 'failure';

interface ThreadPool {
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

/** Between two questions how long a thread has computed. */
const minCheckMs = 50;
/** A loaded machine takes seconds to load the modules of a thread. */
const maxLoadMs = 60_000;

/**
 * Runs computations in threads, one call a thread at a time. The deadline also ends a busy loop, and the
 * event loop of the process stays free: shared input is posted piece by piece. Threads start on demand.
 *
 * A library for thread pools counts the time in the queue as time of the call, and knows no fairness between
 * callers.
 */
export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const { maxThreads, maxWaiting, maxWaitMs, deadlineMs, maxComputingMs, idleMs } = options;
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
      const thread = isFair(entry.call) ? freeThread(entry.call.shared?.key) : undefined;
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

  function freeThread(key: object | undefined): Thread | undefined {
    const free = [...threads].filter(({ running }) => running === undefined);
    const holding = free.find(({ holds }) => key !== undefined && holds?.deref() === key);
    const found = holding ?? free[0];
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
    let computing: NodeJS.Timeout | undefined;
    const endsAfter = (ms: number, because: Ended): void => {
      clearTimeout(deadline);
      deadline = setTimeout(() => end(thread, { type: 'ended', because }), ms);
    };
    const endsAtComputing = (most: number): void => {
      const leftMs = most - computedMs(worker);
      if (leftMs <= 0) end(thread, { type: 'ended', because: 'computing' });
      else computing = setTimeout(() => endsAtComputing(most), Math.max(leftMs, minCheckMs));
    };
    const outcome = new Promise<CallOutcome>((resolve) => {
      thread.onOutcome = resolve;
    });
    endsAfter(maxLoadMs, 'failure');
    const posted = post(thread, call).then(
      () => {
        endsAfter(deadlineMs, 'deadline');
        if (maxComputingMs !== undefined) endsAtComputing(computedMs(worker) + maxComputingMs);
      },
      (error: unknown) => end(thread, { type: 'threw', error }),
    );
    const result = await outcome;
    const clear = (): void => {
      clearTimeout(deadline);
      clearTimeout(computing);
    };
    void posted.finally(clear);
    clear();
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

/** How long the event loop of a thread was busy since it started; also of one that does not return to it. */
function computedMs(worker: Worker): number {
  return worker.performance.eventLoopUtilization().active;
}

async function post(thread: Thread, { method, args, shared }: Call): Promise<void> {
  await thread.loaded;
  const isHeld = shared === undefined || thread.holds?.deref() === shared.key;
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
  | { readonly type: 'threw'; readonly error: unknown }
  /** An error is copied without its own fields. */
  | { readonly type: 'refused'; readonly refusal: DoctorErrorOptions };

function startThread({ entry, maxHeapMb, data }: ThreadPoolOptions, threads: Set<Thread>): Thread {
  const worker = new Worker(moduleOf(entry), {
    eval: true,
    workerData: data,
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
    else if (message.type === 'refused')
      thread.onOutcome({ type: 'threw', error: new DoctorError(message.refusal) });
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
