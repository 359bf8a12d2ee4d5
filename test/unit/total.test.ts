import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/total.mjs', import.meta.url));

function total(
  log: string,
  status = '0',
): { readonly lines: readonly string[]; readonly status: number | null } {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-total-'));
  try {
    const path = join(folder, 'log');
    writeFileSync(path, log);
    const ran = spawnSync(process.execPath, [script, path, status], { encoding: 'utf8' });
    return { lines: ran.stdout.trimEnd().split('\n'), status: ran.status };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it('the total counts the tests of another Node version, and states in a separate line that they are the same tests', () => {
  expect(total('10 passed, 0 failed\nNode 24.1.0: 9 passed, 0 failed\n5 passed, 0 failed\n')).toEqual({
    lines: ['Node 24.1.0: 9 passed, 0 failed', '24 passed, 0 failed'],
    status: 0,
  });
});

it('the total fails for a failure on another Node version only, and names it', () => {
  const failure = 'failed: Node 24.1.0: test/unit/a.test.ts > adds: expected 2';
  expect(total(`10 passed, 0 failed\n${failure}\nNode 24.1.0: 8 passed, 1 failed\n`)).toEqual({
    lines: [failure, 'Node 24.1.0: 8 passed, 1 failed', '18 passed, 1 failed'],
    status: 1,
  });
});

it('the total counts no other line', () => {
  expect(total('Tests 3 passed, 0 failed\n2 passed, 0 failed\n').lines).toEqual(['2 passed, 0 failed']);
});

it('the total repeats what each tier and the static checks cost', () => {
  const tiers = [
    'tier unit: 5,123 tests, 165 s, 310 processor seconds',
    'tier edges on Node 20.20.2: 90 tests, 20 s, 31 processor seconds',
  ];
  expect(total(`${tiers[0]}\n3 passed, 0 failed\nnoise\n${tiers[1]}\n2 passed, 0 failed\n`).lines).toEqual([
    ...tiers,
    '5 passed, 0 failed',
  ]);
});
