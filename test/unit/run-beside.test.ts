import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/run-beside.mjs', import.meta.url));

interface Ended {
  /** The last paragraph of the output. */
  readonly lines: readonly string[];
  readonly output: string;
  readonly status: number | null;
}

function runBeside(...commands: readonly string[]): Ended {
  const { stdout, status } = spawnSync(process.execPath, [script, ...commands], { encoding: 'utf8' });
  const at = stdout.lastIndexOf('\n\n');
  return { lines: stdout.slice(at).trim().split('\n'), output: stdout, status };
}

/** A command that prints these lines. */
const says = (...lines: readonly string[]): string =>
  `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')}`;

it('the total counts the tests of another Node version, and states in a separate line that they are the same tests', () => {
  const ended = runBeside(
    says('10 passed, 0 failed', 'Node 24.1.0: 9 passed, 0 failed', '5 passed, 0 failed'),
  );
  expect([ended.lines, ended.status]).toEqual([
    ['Node 24.1.0: 9 passed, 0 failed', '24 passed, 0 failed'],
    0,
  ]);
});

it('the total fails for a failure on another Node version only, and names it', () => {
  const failure = 'failed: Node 24.1.0: test/unit/a.test.ts > adds: expected 2';
  const ended = runBeside(
    `${says('10 passed, 0 failed', failure, 'Node 24.1.0: 8 passed, 1 failed')}; exit 1`,
  );
  expect([ended.lines, ended.status]).toEqual([
    [failure, 'Node 24.1.0: 8 passed, 1 failed', '18 passed, 1 failed'],
    1,
  ]);
});

it('the total counts no other line', () => {
  expect(runBeside(says('Tests 3 passed, 0 failed', '2 passed, 0 failed')).lines).toEqual([
    '2 passed, 0 failed',
  ]);
});

it('the total repeats what each tier and the static checks cost, and counts the skipped tests', () => {
  const tiers = [
    'tier unit: 5,123 tests, 165 s, 310 processor seconds',
    'tier edges on Node 20.20.2: 90 tests, 20 s, 31 processor seconds',
  ];
  const { lines } = runBeside(
    says(tiers[0] ?? '', '3 skipped', '3 passed, 0 failed', 'noise', tiers[1] ?? '', '2 passed, 0 failed'),
  );
  expect(lines).toEqual([...tiers, '3 skipped', '5 passed, 0 failed']);
});

it('a command that is killed counts as one failure, beside the failed tests of another', () => {
  const killed = 'kill -9 $$';
  const failed = `${says('failed: a.test.ts > adds: expected 2', '3 passed, 1 failed')}; exit 1`;
  const ended = runBeside(failed, killed);
  expect(ended.status).toBe(1);
  expect(ended.lines.toSorted()).toEqual([
    '3 passed, 2 failed',
    'failed: a.test.ts > adds: expected 2',
    `failed: ${killed}: ended with status 137 and counted no failure`,
  ]);
});

it('a command that fails after it counted no failure is one', () => {
  const ended = runBeside(`${says('3 passed, 0 failed')}; exit 2`);
  expect([ended.lines.at(-1), ended.status]).toEqual(['3 passed, 1 failed', 1]);
});

it('a run in which no test passed fails', () => {
  expect(runBeside('true').status).toBe(1);
});

it('the output of a command stands in one piece, though others run beside it', () => {
  const command = (name: string): string => `echo ${name} begins; sleep 0.2; echo ${name} ends`;
  const { output } = runBeside(command('one'), command('two'));
  expect(output).toContain('one begins\none ends\n');
  expect(output).toContain('two begins\ntwo ends\n');
});
