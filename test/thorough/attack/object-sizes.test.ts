import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statedCount } from '../../support/stated-count.js';
import type { EnginesAnswer } from './engines-process.js';
import { attacks } from './hostile-attacks.js';

/** A process that hangs is ended after it. It measures nothing: a loaded machine must never reach it. */
const guardMs = 120_000;
const maxHeapMegabytes = 1024;

let folder: string;
let engines: ChildProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engines-'));
  await build({
    entryPoints: [join(import.meta.dirname, 'engines-process.ts')],
    // A package in CommonJS asks for Node.js's own modules this way.
    banner: {
      js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
    },
    outfile: join(folder, 'engines.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
});

afterAll(async () => {
  engines?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** One process serves all attacks, until one of them hangs or uses up its memory. */
async function ask(position: number): Promise<EnginesAnswer | 'hangs' | 'ended'> {
  const requests =
    engines ?? fork(join(folder, 'engines.mjs'), { execArgv: [`--max-old-space-size=${maxHeapMegabytes}`] });
  engines = requests;
  return new Promise((resolve) => {
    const settle = (answer: EnginesAnswer | 'hangs' | 'ended'): void => {
      clearTimeout(guard);
      requests.removeAllListeners();
      if (typeof answer === 'string') {
        requests.kill('SIGKILL');
        engines = undefined;
      }
      resolve(answer);
    };
    const guard = setTimeout(() => settle('hangs'), guardMs);
    requests.once('message', (answer) => settle(answer as EnginesAnswer));
    requests.once('exit', () => settle('ended'));
    requests.send(position);
  });
}

/**
 * Numbers that the API server does not store: below 0, beyond an int32, or amounts of thousands of digits.
 */
const isRefusable = /-\d|999999999999|9000000000000000|9e15|a status of 2,000,000,000 nodes/;

describe('an object of any size is answered', () => {
  it.each(attacks.map(({ name }, position) => [name, position] as const))('%s', async (name, position) => {
    const answer = await ask(position);

    expect(answer).toMatchObject({ defects: [] });
    expect(answer).not.toHaveProperty('error');
    if (!isRefusable.test(name)) expect(answer).not.toHaveProperty('refused');
  });
});

describe('a rollout that is too large to simulate', () => {
  it('is not reported as complete, and no fix is offered for it', async () => {
    const position = attacks.findIndex(
      ({ name }) => name === 'Deployment: replicas 2000000000, surge 0, unavailable 1',
    );
    const answer = await ask(position);

    expect(answer).toMatchObject({
      check: expect.stringMatching(/^cannot-tell because-(too-large|counted)$/),
      fixes: [],
    });
  });
});

it('makes as many attacks as docs/security.md states', () => {
  expect(attacks.length).toBe(statedCount('attacks on the engines'));
});
