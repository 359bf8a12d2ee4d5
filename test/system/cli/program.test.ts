import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import * as nodeModules from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { scenario } from '../../support/command-line-run.js';
import { rolloutDoctor as runFromSources } from '../../support/run-command-line.js';
import { shippedFolder, shippedProgram } from '../../support/shipped-programs.js';
import { rolloutDoctor } from './run.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const gpu = scenario('gpu-one-node');
const recorded = ['--from', gpu, '--at', '2026-11-20T09:00:00Z'];
const manifest = ['-f', join(root, 'docs/examples/inference.yaml'), '--against', gpu];
const message = '0/3 nodes are available: 3 Insufficient cpu.';
/** Each command with a form of its answer; a form loads parts of the bundle that no other one needs. */
const answered: readonly (readonly string[])[] = [
  ['diagnose', 'shop/inference', ...recorded],
  ['diagnose', 'shop/inference', ...recorded, '--lang', 'ko', '-o', 'yaml'],
  ['scan', ...recorded, '-o', 'yaml'],
  ['scan', ...recorded, '--fragile', '-o', 'html'],
  ['check', ...manifest, '-o', 'yaml'],
  ['check', ...manifest, '-o', 'sarif'],
  ['explain', message],
  ['explain', message, '-o', 'yaml'],
];
/** Of the image alone: an answer of its own distribution, or one without a form. */
const further: readonly (readonly string[])[] = [
  ['completion', 'zsh'],
  ['diagnose', 'a/b', '--from', 'none.json'],
  ['check'],
  ['record', 'none/objects.json', '-A'],
  ['mcp', '--from', 'none.json'],
];
const commands = ['diagnose', 'scan', 'check', 'explain', 'mcp', 'doctor', 'completion'];

describe('the rollout-doctor program', () => {
  it('shows every command, examples and the exit statuses in its help', async () => {
    const { status, out } = await rolloutDoctor(['--help']);
    expect(status).toBe(0);
    for (const command of commands) expect(out).toMatch(new RegExp(`^ {2}${command} `, 'm'));
    expect(out).toContain('Examples:\n  rollout-doctor diagnose ml/inference');
    expect(out).toContain('Exit status: 0 no problem found');
  });

  describe('keeps what Node compiled', () => {
    const compiledBy = async (cache: string, cwd: string) => {
      const env = { HOME: join(cwd, 'home'), NODE_COMPILE_CACHE: '', XDG_CACHE_HOME: cache };
      const { status } = await rolloutDoctor(['--help'], { env, cwd });
      return { status, isKept: existsSync(join(cwd, 'cache/rollout-doctor/compiled')) };
    };
    const hasCache = 'enableCompileCache' in nodeModules;

    it.each([
      ['in the cache folder of the person, where Node can', 'cache', hasCache],
      ['nowhere where the home folder does not exist', '', false],
      ['nowhere where the folder cannot be made', 'file', false],
    ])('%s', async (_, home, isKept) => {
      const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-compiled-'));
      await writeFile(join(folder, 'file'), '');
      expect(await compiledBy(home === '' ? '' : join(folder, home), folder)).toEqual({ status: 0, isKept });
      expect((await readdir(folder)).filter((name) => name.startsWith('.') || name === 'home')).toEqual([]);
      await rm(folder, { recursive: true });
    });
  });

  it.each(['-V', '--version'])('prints the version of the package with %s', async (option) => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      readonly version: string;
    };
    expect(await rolloutDoctor([option])).toEqual({ status: 0, out: `${version}\n`, err: '' });
  });

  it('ends without an error when its reader closes the pipe', async () => {
    const input = '0/3 nodes are available: 3 Insufficient cpu.\n'.repeat(50_000);
    const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-head-'));
    try {
      const file = join(folder, 'sentences');
      await writeFile(file, input);
      const script = `node '${shippedProgram('rollout-doctor')}' explain -o json < '${file}' | head -n 1`;
      const { stdout, stderr } = await run('bash', ['-c', script], { cwd: root });
      expect(JSON.parse(stdout)).toMatchObject({ nodes: 3 });
      expect(stderr).not.toContain('EPIPE');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('starts with the line that names its interpreter', async () => {
    expect(await readFile(shippedProgram('rollout-doctor'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it.each([
    ...answered.flatMap((args) => [['image', args] as const, ['package', args] as const]),
    ...further.map((args) => ['image', args] as const),
  ])('answers as its sources do: from the %s, %j', async (what, args) => {
    const program = join(shippedFolder(what), 'dist/rollout-doctor.js');
    expect(await rolloutDoctor(args, { program })).toEqual(await runFromSources(args));
  });
});
