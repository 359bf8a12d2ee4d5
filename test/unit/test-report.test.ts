import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const source = `
import { beforeAll, describe, expect, it } from 'vitest';
it('passes', () => {});
it.runIf(false)('waits', () => {});
it('fails', () => expect(1).toBe(2));
describe('a part', () => {
  beforeAll(() => { throw new Error('no stack'); });
  it('never runs', () => {});
});
`;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-report-'));
  await writeFile(join(folder, 'some.test.mjs'), source);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('a test run leaves the count of its tests, and the reason where a hook failed', async () => {
  const report = join(folder, 'report.json');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--root', folder, `--reporter=${join(root, 'scripts/test-report.mjs')}`];
  const env = { ...process.env, ROLLOUT_DOCTOR_TEST_REPORT: report };
  await expect(promisify(execFile)(process.execPath, args, { env })).rejects.toMatchObject({ code: 1 });

  expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject([
    {
      name: expect.stringMatching(/some\.test\.mjs$/),
      passed: 1,
      failed: 2,
      skipped: 2,
      failures: [
        { test: 'fails', reason: expect.stringContaining('expected 1 to be 2') },
        { test: 'a part', reason: expect.stringContaining('no stack') },
      ],
    },
  ]);
});
