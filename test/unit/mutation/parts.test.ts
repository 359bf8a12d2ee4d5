import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mutatedFiles, partsOf } from '../../mutation/parts.js';

const paths = [
  'src/core/rollout/simulation.ts',
  'src/core/rollout-status/simulation.ts',
  'src/core/diagnosis/diagnose.ts',
  'src/core/diagnosis/causes/causes.ts',
  'src/core/diagnosis/causes/evicted/rule.ts',
  'src/core/diagnosis/causes/surge-deadlock/text-en.ts',
  'src/core/diagnosis/crashes/probe-kill-text.ts',
  'src/core/diagnosis/deadlock/strategies-text-en.ts',
  'src/core/diagnosis/causes/evicted/text.ts',
  'src/core/incident/judge.ts',
  'src/core/incident/judge-text.ts',
  'src/core/command/clean-text.ts',
  'src/core/command/README.md',
];

describe('the mutated parts', () => {
  it('are the folders of core, with their own unit tests', () => {
    expect(partsOf(['rollout', 'incident'])).toEqual([
      { folder: 'incident', tests: ['test/unit/core/incident/**/*.test.ts'] },
      { folder: 'rollout', tests: ['test/unit/core/rollout/**/*.test.ts'] },
    ]);
  });

  it.each([
    ['incident', ['src/core/incident/judge.ts']],
    ['rollout', ['src/core/rollout/simulation.ts']],
    ['diagnosis', ['src/core/diagnosis/diagnose.ts']],
    [
      'diagnosis/causes',
      ['src/core/diagnosis/causes/causes.ts', 'src/core/diagnosis/causes/evicted/rule.ts'],
    ],
    ['command', ['src/core/command/clean-text.ts']],
  ])('include the code of %s, and neither catalogues nor the files of other parts', (folder, files) => {
    const part = partsOf(['command', 'diagnosis', 'incident', 'rollout']).find(
      (each) => each.folder === folder,
    );
    expect(part && mutatedFiles(part, paths)).toEqual(files);
  });

  it('each have a test file for every pattern of theirs', () => {
    const folders = readdirSync('src/core', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => `test/${path}`);
    const withoutTests = partsOf(folders.map(({ name }) => name)).flatMap(({ folder, tests: patterns }) =>
      patterns
        .map((pattern) => pattern.replace(/[^/]*[*!].*$/, ''))
        .filter((place) => tests.every((path) => !path.startsWith(place)))
        .map((place) => `${folder}: ${place}`),
    );
    expect(withoutTests).toEqual([]);
  });
});
