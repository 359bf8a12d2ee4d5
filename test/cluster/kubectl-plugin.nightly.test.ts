import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shippedFolder } from '../support/shipped-programs.js';
import { isDeadlocked } from '../support/shown-words.js';
import { ensureTool } from './harness/tools.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The npm package as a global installation puts it on the PATH, started by the real kubectl. */
describe('kubectl rollout-doctor', () => {
  let folder: string;
  let kubectl: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-plugin-'));
    ({ file: kubectl } = await ensureTool('kubectl'));
    await symlink(
      join(shippedFolder('package'), 'dist/rollout-doctor.js'),
      join(folder, 'kubectl-rollout_doctor'),
    );
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
    expect([status, out]).toEqual([1, expect.stringContaining(isDeadlocked)]);
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

/** What `docs/npm.md` describes, with the archive beside the manifest in place of a download. */
describe('kubectl krew install', () => {
  let home: string;
  let kubectl: string;
  let manifest: string;
  let archive: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'rollout-doctor-krew-'));
    const [krew, tool] = await Promise.all([ensureTool('krew'), ensureTool('kubectl')]);
    kubectl = tool.file;
    const made = shippedFolder('krew');
    manifest = join(made, 'rollout-doctor.yaml');
    archive = join(made, (await readdir(made)).find((name) => name.endsWith('.tar.gz')) ?? '');
    await symlink(krew.file, join(home, 'kubectl-krew'));
  });
  afterAll(() => rm(home, { recursive: true }));

  function asUser(...args: readonly string[]) {
    const PATH = [join(home, '.krew/bin'), home, dirname(process.execPath), '/usr/bin', '/bin'].join(
      delimiter,
    );
    const env = { PATH, HOME: home, KREW_NO_UPGRADE_CHECK: '1', KUBECONFIG: join(home, 'none') };
    return run(kubectl, args, { cwd: root, env }).then(
      ({ stdout, stderr }) => ({ status: 0, out: stdout, err: stderr }),
      (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => ({
        status: error.code,
        out: error.stdout,
        err: error.stderr,
      }),
    );
  }

  it('refuses an archive whose digest the manifest does not state', async () => {
    const other = join(home, 'other.yaml');
    const text = await readFile(manifest, 'utf8');
    await writeFile(other, text.replace(/sha256: \w{64}/, `sha256: ${'ab'.repeat(32)}`));
    const refused = await asUser('krew', 'install', `--manifest=${other}`, `--archive=${archive}`);
    expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('checksum')]);
  });

  it('installs the archive, and kubectl runs the plugin', async () => {
    const installed = await asUser('krew', 'install', `--manifest=${manifest}`, `--archive=${archive}`);
    expect([installed.status, installed.err]).toEqual([0, expect.stringContaining('Installed plugin')]);
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect((await asUser('rollout-doctor', '--version')).out).toContain(version);
    const from = ['--from', 'test/scenarios/gpu-one-node'];
    const diagnosis = await asUser('rollout-doctor', 'diagnose', 'shop/inference', ...from);
    expect([diagnosis.status, diagnosis.out]).toEqual([1, expect.stringContaining(isDeadlocked)]);
  });

  it('has a manifest that Krew accepts in an index, under the name of its file', async () => {
    const index = join(home, 'index');
    await mkdir(join(index, 'plugins'), { recursive: true });
    await cp(manifest, join(index, 'plugins', basename(manifest)));
    const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      [...author, 'commit', '-q', '-m', 'Add the plugin'],
    ]) {
      await run('git', args, { cwd: index, env: { PATH: process.env.PATH, HOME: home } });
    }
    const added = await asUser('krew', 'index', 'add', 'local', index);
    expect([added.status, added.err]).toEqual([0, expect.stringContaining('new index')]);
    const info = await asUser('krew', 'info', 'local/rollout-doctor');
    expect([info.status, info.out]).toEqual([0, expect.stringContaining('NAME: rollout-doctor')]);
  });

  // Krew uninstalls only where it has an index (`checkIndex` before the command): the one of the test before.
  it('is uninstalled without a trace', async () => {
    const gone = await asUser('krew', 'uninstall', 'rollout-doctor');
    expect([gone.status, gone.err]).toEqual([0, expect.stringContaining('Uninstalled plugin')]);
    const left = await readdir(join(home, '.krew'), { recursive: true });
    expect(left.filter((path) => /^(?:bin|receipts|store)\/.*rollout/u.test(path))).toEqual([]);
    expect((await asUser('rollout-doctor', '--version')).status).toBe(1);
  });
});
