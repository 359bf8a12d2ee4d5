import { afterAll, describe, expect, it } from 'vitest';
import { type Call, createThreadPool, type ThreadPoolOptions } from '#src/edges/threads/thread-pool.js';

const pools: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(pools.map((pool) => pool.close())));

function startPool(options: Partial<ThreadPoolOptions> = {}) {
  const pool = createThreadPool({
    entry: new URL('./hostile-thread.ts', import.meta.url),
    maxThreads: 2,
    maxWaiting: 100,
    maxWaitMs: 60_000,
    deadlineMs: 1_000,
    maxHeapMb: 32,
    idleMs: 60_000,
    ...options,
  });
  pools.push(pool);
  return pool;
}

const healthy = 'returns the number of its pieces';

function call(method: string, fields: Partial<Call> = {}): Call {
  return {
    method,
    args: undefined,
    shared: { key: {}, pieces: () => [1, 2, 3] },
    fairnessKey: 'prod/shop',
    ...fields,
  };
}

describe('a computation in a worker thread', () => {
  const pool = startPool();

  it.each([
    'loops without end',
    'loops in a promise',
    'matches an expression that backtracks',
    'computes an exponential recursion',
    'sorts with a comparison that never agrees',
    'counts two thousand million replicas',
    'sleeps without end',
  ])('that %s is ended at the deadline, and the next one is answered', async (method) => {
    expect(await pool.run(call(method))).toEqual({ type: 'ended', because: 'deadline' });
    expect(await pool.run(call(healthy))).toEqual({ type: 'answered', value: 3 });
  });

  it.each(['keeps every object', 'fills a map'])(
    'that %s is ended at the memory limit, and the process continues',
    async (method) => {
      const roomy = startPool({ deadlineMs: 60_000 });
      expect(await roomy.run(call(method))).toEqual({ type: 'ended', because: 'memory' });
      expect(await roomy.run(call(healthy))).toEqual({ type: 'answered', value: 3 });
    },
  );

  it.each([
    ['throws', 'a defect'],
    ['recurses without end', 'call stack'],
    ['returns a function', 'could not be cloned'],
  ])('that %s fails with the same error as in the main thread', async (method, message) => {
    const outcome = await pool.run(call(method));
    expect(outcome.type).toBe('threw');
    expect(String('error' in outcome && outcome.error)).toContain(message);
  });

  it('that ends its thread is reported, and the next one runs in a new thread', async () => {
    expect(await pool.run(call('ends its thread'))).toEqual({ type: 'ended', because: 'failure' });
    expect(await pool.run(call(healthy))).toEqual({ type: 'answered', value: 3 });
  });

  it('whose input cannot be copied fails, and the next one is answered', async () => {
    const outcome = await pool.run(call(healthy, { shared: { key: {}, pieces: () => [() => 0] } }));
    expect(outcome.type).toBe('threw');
    expect(await pool.run(call(healthy))).toEqual({ type: 'answered', value: 3 });
  });

  it('does not block the event loop of the process', async () => {
    const running = pool.run(call('loops without end'));
    let turns = 0;
    let isOver = false;
    void running.then(() => {
      isOver = true;
    });
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    expect(await running).toEqual({ type: 'ended', because: 'deadline' });
    expect(turns).toBeGreaterThan(100);
  });
});

describe('a thread pool', () => {
  it('keeps a thread for other namespaces while one namespace loops', async () => {
    const pool = startPool({ deadlineMs: 3_600_000 });
    const looping = Array.from({ length: 20 }, () => pool.run(call('loops without end')));
    const others = { fairnessKey: 'prod/other' };
    expect(await pool.run(call(healthy, others))).toEqual({ type: 'answered', value: 3 });
    expect(await pool.run(call(healthy, others))).toEqual({ type: 'answered', value: 3 });
    await pool.close();
    expect((await Promise.all(looping)).every(({ type }) => type === 'ended')).toBe(true);
  });

  it('answers "busy" when too many calls wait, or when one waits too long', async () => {
    const pool = startPool({ maxThreads: 1, maxWaiting: 1, maxWaitMs: 50, deadlineMs: 3_600_000 });
    const looping = pool.run(call('loops without end'));
    const waiting = pool.run(call(healthy));
    expect(await pool.run(call(healthy))).toEqual({ type: 'busy' });
    expect(await waiting).toEqual({ type: 'busy' });
    await pool.close();
    expect((await looping).type).toBe('ended');
  });

  it('sends shared input to a thread only once', async () => {
    const pool = startPool({ maxThreads: 1, deadlineMs: 60_000 });
    let copies = 0;
    const pieces = () => {
      copies += 1;
      return [copies];
    };
    const shared = { key: {}, pieces };
    for (const _ of [1, 2, 3]) {
      expect(await pool.run(call(healthy, { shared }))).toEqual({ type: 'answered', value: 1 });
    }
    expect(copies).toBe(1);
    await pool.run(call(healthy, { shared: { key: {}, pieces } }));
    expect(copies).toBe(2);
  });

  it('ends idle threads and starts new ones on demand', async () => {
    const pool = startPool({ maxThreads: 1, idleMs: 1, deadlineMs: 60_000 });
    const shared = { key: {}, pieces: () => [1] };
    for (const _ of [1, 2]) {
      expect(await pool.run(call(healthy, { shared }))).toEqual({ type: 'answered', value: 1 });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });

  it('fails a call whose thread cannot be loaded', async () => {
    const pool = startPool({ entry: new URL('./does-not-exist.ts', import.meta.url) });
    expect(await pool.run(call(healthy))).toEqual({ type: 'ended', because: 'failure' });
  });
});
