import { expect, it } from 'vitest';

interface CountedFile {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
}
interface Coverage {
  readonly nightTests: () => readonly string[];
  readonly coverageOf: (
    runs: readonly { readonly kubernetes: string | undefined; readonly files: readonly CountedFile[] }[],
    seed: string,
    all?: readonly string[],
  ) => { readonly lines: readonly string[]; readonly left: readonly string[] };
}

const script = new URL('../../scripts/cluster-coverage.mjs', import.meta.url);
const { coverageOf, nightTests }: Coverage = await import(script.href);
const file = (name: string, passed: number, more: Partial<CountedFile> = {}): CountedFile => ({
  ...{ name, passed, failed: 0, skipped: 0, seconds: passed },
  ...more,
});

it('a nightly run names each file that it covered, the dearest first, on each release of Kubernetes', () => {
  const runs = [
    { kubernetes: undefined, files: [file('a', 2), file('b', 9, { failed: 1 })] },
    { kubernetes: '1.35', files: [file('a', 3, { skipped: 1 })] },
  ];
  expect(coverageOf(runs, '7', ['a', 'b']).lines).toEqual([
    'Covered on the default release of Kubernetes, seed 7:',
    '  b: 9 passed, 1 failed, 9 s',
    '  a: 2 passed, 2 s',
    'Covered on Kubernetes 1.35, seed 7:',
    '  a: 3 passed, 1 skipped, 3 s',
    'No file was left out.',
  ]);
});

it('a nightly run names each file that it did not cover, also one in which every test was skipped', () => {
  const runs = [{ kubernetes: undefined, files: [file('a', 2), file('b', 0, { skipped: 4 })] }];
  const { lines, left } = coverageOf(runs, '7', ['a', 'b', 'c']);

  expect(lines.at(-1)).toBe('Left out: b, c');
  expect(left).toEqual(['b', 'c']);
});

it('the files that a nightly run has to cover include those of every run, those of the night only, and those of nodes and processes', () => {
  expect(nightTests()).toEqual(
    expect.arrayContaining([
      'test/cluster/rbac.test.ts',
      'test/cluster/owners/flux.nightly.test.ts',
      'test/node/incidents.nightly.test.ts',
      'test/system/cli/watch.test.ts',
    ]),
  );
});
