import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot, scenario } from '../../support/command-line-run.js';
import { runGuarded } from './run-guarded.js';

const recorded = scenario('gpu-one-node');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-input-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('standard input', () => {
  it.each([
    [
      'that never ends',
      ['check', '-f', '-', '--against', recorded],
      'exec "$@" < /dev/zero',
      /larger than 16 MiB/,
    ],
    [
      'of one endless line',
      ['explain'],
      'exec "$@" < /dev/zero',
      /[Ll]ine 1 of standard input is longer than 65536 characters/,
    ],
    ['that is a folder', ['explain'], 'exec "$@" < /', /Cannot read standard input/],
    [
      'that is a folder',
      ['check', '-f', '-', '--against', recorded],
      'exec "$@" < /',
      /Cannot read standard input/,
    ],
    [
      'that is not text',
      ['check', '-f', '-', '--against', recorded],
      'head -c 99 /dev/zero | "$@"',
      /NUL byte/,
    ],
    [
      'that is empty',
      ['check', '-f', '-', '--against', recorded],
      'exec "$@" < /dev/null',
      /No Kubernetes object/,
    ],
  ])('%s is rejected with a message', async (_, args, shell, words) => {
    const ran = await runGuarded(args, { cwd: folder, shell });
    expect(ran, ran.err).toMatchObject({ status: 3, out: '' });
    expect(ran.err).toMatch(words);
    expect(ran.err.trimEnd().split('\n')).toHaveLength(1);
  });

  it('that is named twice is read once', async () => {
    const manifest = readFileSync(join(repositoryRoot, 'docs/examples/inference.yaml'));
    writeFileSync(join(folder, 'o.yaml'), manifest);
    const args = ['check', '-f', '-', '-f', '-', '--against', recorded, '-o', 'json'];
    const ran = await runGuarded(args, { cwd: folder, shell: '"$@" < o.yaml' });
    expect(JSON.parse(ran.out).items, ran.err).toHaveLength(1);
  });
});
