import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { version } from '#src/edges/telemetry/version.js';
import { scenario } from '../../support/command-line-run.js';
import { krewRepository as repository, shippedFolder } from '../../support/shipped-programs.js';
import { isDeadlocked } from '../../support/shown-words.js';
import { rolloutDoctor } from '../cli/run.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * What Krew needs of a manifest (sigs.k8s.io/krew: `internal/index/validation`): the name of its file, a
 * short description without a line break, and selectors by `os` and `arch` only.
 */
const Manifest = z.strictObject({
  apiVersion: z.literal('krew.googlecontainertools.github.com/v1alpha2'),
  kind: z.literal('Plugin'),
  metadata: z.strictObject({ name: z.literal('rollout-doctor') }),
  spec: z.strictObject({
    version: z.string().regex(/^v\d+\.\d+\.\d+$/),
    homepage: z.url(),
    shortDescription: z.string().regex(/^[^\r\n]{1,50}$/),
    description: z.string().min(1),
    caveats: z.string(),
    platforms: z
      .array(
        z.strictObject({
          selector: z.strictObject({
            matchExpressions: z
              .array(
                z.strictObject({
                  key: z.enum(['os', 'arch']),
                  operator: z.literal('In'),
                  values: z.array(z.string()),
                }),
              )
              .min(1),
          }),
          uri: z.url().endsWith('.tar.gz'),
          sha256: z.string().regex(/^[0-9a-f]{64}$/),
          bin: z.string(),
        }),
      )
      .min(1),
  }),
});

/** A difference of two archives as a text would be computed for hours. */
const digestOf = async (archive: string) =>
  createHash('sha256')
    .update(await readFile(archive))
    .digest('hex');

describe('the Krew plugin', () => {
  let folder: string;
  let manifest: z.output<typeof Manifest>;
  const built = shippedFolder('krew');
  const archiveIn = (made: string) => join(made, `rollout-doctor-krew-v${version}.tar.gz`);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-krew-test-'));
    manifest = Manifest.parse(parse(await readFile(join(built, 'rollout-doctor.yaml'), 'utf8')));
    await mkdir(join(folder, 'store'));
    await run('tar', ['-xzf', archiveIn(built), '-C', join(folder, 'store')]);
    // Krew links the program by the name of the plugin.
    const { bin = '' } = manifest.spec.platforms[0] ?? {};
    await symlink(join(folder, 'store', bin), join(folder, 'kubectl-rollout_doctor'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has a manifest with the digest and the address of its archive', async () => {
    const [platform] = manifest.spec.platforms;
    expect(platform?.sha256).toBe(await digestOf(archiveIn(built)));
    expect(platform?.uri).toBe(`${repository}/releases/download/v${version}/${basename(archiveIn(built))}`);
    await access(join(folder, 'store/LICENSE'));
  });

  it('is the same archive each time', async () => {
    const again = join(folder, 'again');
    await run('node', ['scripts/assemble-krew.mjs', again, repository], { cwd: root });
    const digests = await Promise.all([built, again].map((made) => digestOf(archiveIn(made))));
    expect(digests[1]).toBe(digests[0]);
  });

  it('runs from the archive under the name that kubectl calls', async () => {
    const program = join(folder, 'kubectl-rollout_doctor');
    const from = ['--from', scenario('gpu-one-node')];
    const diagnosis = await rolloutDoctor(['diagnose', 'shop/inference', ...from], { program, cwd: folder });
    expect([diagnosis.status, diagnosis.out]).toEqual([1, expect.stringContaining(isDeadlocked)]);
    const help = await rolloutDoctor(['--help'], { program, cwd: folder });
    expect(help.out).toContain('Usage: kubectl rollout-doctor');
  });

  it('is not made without the address of the repository', async () => {
    const made = run('node', ['scripts/assemble-krew.mjs', join(folder, 'none')], { cwd: root });
    await expect(made).rejects.toMatchObject({ code: 2 });
  });
});
