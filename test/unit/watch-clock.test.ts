import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { watchClock } from '#src/roots/watch-clock.js';
import { eventually } from '../support/eventually.js';

const minute = 60_000;

/** A watch of a machine whose clock is so far ahead of that of Redis, in milliseconds. */
async function watch(apartMs: () => number) {
  const lines: { readonly level: number; readonly seconds?: number; readonly side?: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const { isApart, stop } = await watchClock({
    ...{ log, everyMs: 10 },
    sharedClock: { now: async () => new Date(Date.now() - apartMs()) },
  });
  onTestFinished(stop);
  return { lines, hasEnded: isApart };
}

describe('the clock of a machine', () => {
  it.each([0, 5 * minute, -5 * minute])(
    'that differs by %d ms from that of Redis is tolerated',
    async (ms) => {
      let compared = 0;
      const { lines, hasEnded } = await watch(() => {
        compared += 1;
        return ms;
      });
      await eventually('it is compared a few times', () => compared > 3);
      expect([hasEnded(), lines]).toEqual([false, []]);
    },
  );

  it.each([
    [60 * minute, 'ahead'],
    [-60 * minute, 'behind'],
    [7 * minute, 'ahead'],
  ])('that is off by %d ms ends the process before it takes a job: %s', async (ms, side) => {
    const { lines, hasEnded } = await watch(() => ms);
    expect(hasEnded()).toBe(true);
    expect(lines[0]).toMatchObject({ level: 60, side, seconds: expect.closeTo(Math.abs(ms) / 1_000, -1) });
  });

  it('that jumps later ends it then', async () => {
    let apart = 0;
    const { hasEnded } = await watch(() => apart);
    expect(hasEnded()).toBe(false);
    apart = -61 * minute;
    await eventually('the process ends', hasEnded);
  });

  it('is not judged while Redis does not answer', async () => {
    let asked = 0;
    const { stop } = await watchClock({
      ...{ log: pino({ level: 'silent' }), everyMs: 10 },
      sharedClock: {
        async now() {
          asked += 1;
          throw new Error('Redis is away');
        },
      },
    });
    onTestFinished(stop);
    await eventually('it is asked again', () => asked > 2);
  });
});
