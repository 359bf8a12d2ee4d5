import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

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

interface Left {
  readonly name: string;
  readonly passed: number;
  readonly failures: readonly { readonly test: string; readonly reason: string }[];
}

/** Runs these files one after the other; returns the report that is left, and what was printed. */
async function runFiles(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
  ...options: readonly string[]
): Promise<{ readonly left: readonly Left[]; readonly output: string }> {
  const inside = await mkdtemp(join(tmpdir(), 'rollout-doctor-report-'));
  onTestFinished(() => rm(inside, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(inside, name), text);
  await symlink(join(root, 'node_modules'), join(inside, 'node_modules'));
  const report = join(inside, 'report.json');
  const reporter = `--reporter=${join(root, 'scripts/test-report.mjs')}`;
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', inside, reporter];
  const given = { ...process.env, ROLLOUT_DOCTOR_TEST_REPORT: report, ...env };
  const run = promisify(execFile)(process.execPath, [...args, '--no-file-parallelism', ...options], {
    env: given,
  });
  const output = await run.then(
    ({ stdout }) => stdout,
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
  return { left: JSON.parse(await readFile(report, 'utf8')), output };
}

const passing = "import { it } from 'vitest'; it('passes', () => {});";

it('a run ends where a test never returns, and names its file', async () => {
  const stuck = `${passing} it('returns', () => { for (;;); });`;
  const unbegun = { test: '', reason: expect.stringMatching(/^did not begin: nothing happened/) };
  const limits = ['--testTimeout=500', '--hookTimeout=300'];
  const { left, output } = await runFiles(
    { 'stuck.test.mjs': stuck, 'other.test.mjs': passing },
    {},
    ...limits,
  );

  const at = (name: string): Left | undefined => left.find((file) => file.name.endsWith(name));
  expect(at('stuck.test.mjs')).toMatchObject({
    failures: [{ test: '', reason: expect.stringMatching(/^nothing happened for \d+ s/) }],
  });
  expect(at('other.test.mjs')).toMatchObject({ failures: expect.toBeOneOf([[], [unbegun]]) });
  expect(output).toContain('stuck: ');
});

it('a run ends at the time that it is given, with what it has', async () => {
  const waits = `${passing} it('waits', () => new Promise(() => {}), 300_000);`;
  const until = { ROLLOUT_DOCTOR_TESTS_UNTIL: String(Date.now() + 4_000) };
  const { left } = await runFiles({ 'waits.test.mjs': waits }, until);

  const reason = 'the time of the whole run was over; its last test was: waits';
  expect(left).toMatchObject([{ passed: 1, failures: [{ test: '', reason }] }]);
});

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
