import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureTool } from './owners/harness/tools.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The npm package as a global installation puts it on the PATH, started by the real kubectl. */
describe('kubectl rollout-doctor', () => {
  let folder: string;
  let kubectl: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-plugin-'));
    const assembled = join(folder, 'package');
    ({ file: kubectl } = await ensureTool('kubectl'));
    await run('node', ['scripts/assemble-package.mjs', assembled], { cwd: root });
    await symlink(join(assembled, 'dist/rollout-doctor.js'), join(folder, 'kubectl-rollout_doctor'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  function plugin(...args: readonly string[]) {
    const PATH = [folder, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
    const options = { cwd: root, env: { PATH, HOME: folder, KUBECONFIG: join(folder, 'none') } };
    return run(kubectl, args, options).then(
      ({ stdout }) => ({ status: 0, out: stdout }),
      ({ code, stdout }: { readonly code: number; readonly stdout: string }) => ({
        status: code,
        out: stdout,
      }),
    );
  }

  it('is found by kubectl', async () => {
    const { status, out } = await plugin('plugin', 'list', '--name-only');
    expect([status, out]).toEqual([0, expect.stringContaining('kubectl-rollout_doctor')]);
  });

  it('diagnoses a recording and passes its exit status on', async () => {
    const from = ['--from', 'test/scenarios/gpu-one-node'];
    const { status, out } = await plugin('rollout-doctor', 'diagnose', 'shop/inference', ...from);
    expect([status, out]).toEqual([1, expect.stringContaining('is deadlocked')]);
  });

  it('shows in its help how people start it', async () => {
    const [program, scan] = await Promise.all([
      plugin('rollout-doctor', '--help'),
      plugin('rollout-doctor', 'scan', '--help'),
    ]);
    expect(program.out).toContain('Usage: kubectl rollout-doctor');
    expect(program.out).not.toMatch(/(?<!kubectl )rollout-doctor (?!\[)[a-z]/);
    expect(scan.out).toContain('  kubectl rollout-doctor scan -n shop\n');
  });
});
