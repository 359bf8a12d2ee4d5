import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allMutants } from '../../mutation/all-mutants.js';
import { mutatedFiles, partsOf, pureRooms } from '../../mutation/parts.js';

const paths = [
  'src/engine/workloads/simulation.ts',
  'src/engine/workloads-of-others/simulation.ts',
  'src/doctor/findings/diagnose.ts',
  'src/doctor/causes/causes.ts',
  'src/doctor/causes/evicted.ts',
  'src/doctor/causes/surge-deadlock/text.ts',
  'src/doctor/findings/crashes/text.ts',
  'src/doctor/findings/deadlock/strategies-text-en.ts',
  'src/doctor/incidents/judge.ts',
  'src/doctor/commands/parse-command.ts',
  'src/doctor/commands/usage-text.ts',
  'src/doctor/commands/README.md',
];

describe('the mutated parts', () => {
  it('are the rooms of the pure floors, with their own unit tests', () => {
    expect(partsOf(['engine/workloads', 'doctor/incidents'])).toEqual([
      { folder: 'doctor/incidents', tests: ['test/unit/doctor/incidents/**/*.test.ts'] },
      { folder: 'engine/workloads', tests: ['test/unit/engine/workloads/**/*.test.ts'] },
    ]);
  });

  it.each([
    ['doctor/incidents', ['src/doctor/incidents/judge.ts']],
    ['engine/workloads', ['src/engine/workloads/simulation.ts']],
    ['doctor/findings', ['src/doctor/findings/diagnose.ts']],
    ['doctor/causes', ['src/doctor/causes/causes.ts', 'src/doctor/causes/evicted.ts']],
    ['doctor/commands', ['src/doctor/commands/parse-command.ts']],
  ])('include the code of %s, and neither catalogues nor the files of other parts', (folder, files) => {
    expect(partsOf([folder]).map((part) => mutatedFiles(part, paths))).toEqual([files]);
  });

  it('each have a test file for every pattern of theirs', () => {
    const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => `test/${path}`);
    const withoutTests = partsOf(pureRooms()).flatMap(({ folder, tests: patterns }) =>
      patterns
        .map((pattern) => pattern.replace(/[^/]*[*!].*$/, ''))
        .filter((place) => tests.every((path) => !path.startsWith(place)))
        .map((place) => `${folder}: ${place}`),
    );
    expect(withoutTests).toEqual([]);
  });
});

describe('the mutants of a file with sentences of its own', () => {
  it('are none of the sentences', async () => {
    const file = 'src/doctor/fixes/kinds/resume-rollout.ts';
    const lines = readFileSync(file, 'utf8').split('\n');
    const [first, last] = ['const en = {', 'const text = '].map((start) =>
      lines.findIndex((line) => line.startsWith(start) || line.startsWith(`export ${start}`)),
    );
    const mutants = await allMutants([file]);

    expect(last).toBeGreaterThan(first ?? 0);
    expect(mutants.filter(({ line }) => line > (first ?? 0) && line <= (last ?? 0))).toEqual([]);
    expect(mutants.length).toBeGreaterThan(50);
  });
});
