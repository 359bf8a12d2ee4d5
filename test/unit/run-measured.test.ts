import { expect, it } from 'vitest';

interface Measured {
  readonly status: number;
  readonly seconds: number;
  readonly processorSeconds: number;
}
interface RunMeasured {
  readonly runMeasured: (command: readonly string[], options?: object) => Promise<Measured>;
  readonly costLine: (name: string, what: string, cost: Omit<Measured, 'status'>) => string;
}

const script = new URL('../../scripts/run-measured.mjs', import.meta.url);
const { runMeasured, costLine }: RunMeasured = await import(script.href);

const quiet = { stdio: ['ignore', 'ignore', 'ignore'] };
/** Ends when this process has used so much of a processor, however long that takes. */
const use = (milliseconds: number): string =>
  `while (process.cpuUsage().user < ${milliseconds * 1000}) for (let n = 0; n < 1e6; n += 1) {}`;

it('counts the processor seconds of a program and of the programs that it starts', async () => {
  const below = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(use(600))}]);`;
  const { status, processorSeconds } = await runMeasured(
    [process.execPath, '-e', `${below} ${use(300)}`],
    quiet,
  );
  expect(status).toBe(0);
  expect(processorSeconds).toBeGreaterThanOrEqual(0.88);
});

it('counts no processor seconds of a program that only waits', async () => {
  const [waits, works] = await Promise.all([
    runMeasured(['sleep', '1'], quiet),
    runMeasured([process.execPath, '-e', use(400)], quiet),
  ]);
  expect(waits.seconds).toBeGreaterThanOrEqual(0.99);
  expect(waits.processorSeconds).toBeLessThan(works.processorSeconds / 2);
});

it('passes on the status of the program, and fails for one that does not exist', async () => {
  expect((await runMeasured([process.execPath, '-e', 'process.exit(3)'], quiet)).status).toBe(3);
  expect((await runMeasured(['no-such-program'], quiet)).status).not.toBe(0);
});

it('describes a tier in one line', () => {
  expect(costLine('unit', '5,123 tests', { seconds: 164.6, processorSeconds: 310.2 })).toBe(
    'tier unit: 5,123 tests, 165 s, 310 processor seconds',
  );
});
