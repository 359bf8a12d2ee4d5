import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allMutants } from '../../mutation/all-mutants.js';
import { findKept, keepMutants } from '../../mutation/kept-sample.js';
import { offsetsOf } from '../../mutation/mutant.js';

const source = `export function isLate(now: number, limit: number): boolean {
  return now > limit;
}
export function isEarly(now: number, limit: number): boolean {
  return now > limit;
}
`;

/** Keeps both mutants of \`now > limit\` to \`now >= limit\`, changes the code, and finds them again. */
async function foundAfter(change: (code: string) => string, name = 'late.ts') {
  const folder = mkdtempSync(join(tmpdir(), 'kept-sample-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const before = join(folder, 'late.ts');
  writeFileSync(before, source);
  const mutants = (await allMutants([before])).filter(({ replacement }) => replacement === 'now >= limit');
  const kept = await keepMutants('rollout', mutants);
  rmSync(before);
  const code = change(source);
  const after = join(folder, name);
  writeFileSync(after, code);
  return (await findKept(kept, [after])).map(({ mutant }) =>
    mutant === undefined ? 'gone' : code.slice(0, offsetsOf(mutant, code)[0]).match(/is\w+/g)?.at(-1),
  );
}

describe('a kept mutant', () => {
  it.each([
    ['the code is the same', (code: string) => code, 'late.ts'],
    ['lines were added above it', (code: string) => `// A comment.\nconst a = 1;\n${code}`, 'late.ts'],
    ['it was indented otherwise', (code: string) => code.replaceAll('  return', '\n      return'), 'late.ts'],
    ['its file has another name', (code: string) => code, 'time.ts'],
    [
      'the functions changed places',
      (code: string) =>
        code
          .split(/^(?=export)/m)
          .reverse()
          .join(''),
      'late.ts',
    ],
  ])('is found when %s', async (_, change, name) => {
    expect(await foundAfter(change, name)).toEqual(['isLate', 'isEarly']);
  });

  it('is gone when its text is, though another place has the same text', async () => {
    expect(await foundAfter((code) => code.replace('now > limit', 'now - limit > 0'))).toEqual([
      'gone',
      'isEarly',
    ]);
  });
});
