import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fontFiles } from '#src/edges/image/paint-drawing.js';
import { shippedFolder } from '../../support/shipped-programs.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const scenarios = join(import.meta.dirname, '../../scenarios');
const assembled = shippedFolder('image');

/** The files whose code Node loads with a program, without what the program loads on demand. */
async function sourcesAtStart(folder: string, program: string): Promise<readonly string[]> {
  const loaded = new Set([program]);
  const sources: string[] = [];
  for (const file of loaded) {
    const text = await readFile(join(folder, file), 'utf8');
    for (const [, imported = ''] of text.matchAll(/\b(?:from|import) ?"\.\/([\w-]{1,80}\.js)"/gu))
      loaded.add(imported);
    const map = JSON.parse(await readFile(join(folder, `${file}.map`), 'utf8')) as {
      sources: readonly string[];
    };
    sources.push(...map.sources);
  }
  return sources;
}

/** Far from the packages of this clone, as in the image: a file that is missing there is missing here. */
describe('what the image holds', () => {
  it('runs the command line by its name, with the version of this clone', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    const env = { PATH: `${join(assembled, 'bin')}:${process.env.PATH}` };

    expect((await run('rollout-doctor', ['--version'], { env })).stdout.trim()).toContain(version);
    const diagnosed = run(
      'rollout-doctor',
      ['diagnose', 'deploy/inference', '-n', 'shop', '--from', join(scenarios, 'gpu-one-node'), '-o', 'json'],
      { env },
    );
    await expect(diagnosed).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('"surge-deadlock"'),
      stderr: '',
    });
  });

  it('has the image library and each font file that pictures are drawn with', () => {
    const { resolve } = createRequire(join(assembled, 'dist', 'app.js'));

    expect(fontFiles.length).toBeGreaterThan(0);
    for (const name of ['@napi-rs/canvas', ...fontFiles.map(({ file }) => file)]) {
      expect(resolve(name).startsWith(assembled)).toBe(true);
    }
  });

  it.each(['bundle', 'assemble-image'])(
    'is not written by %s over a folder that holds other files',
    async (script) => {
      const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-taken-'));
      try {
        await writeFile(join(folder, 'kept'), 'yes');
        const written = run('node', [`scripts/${script}.mjs`, folder], { cwd: root });

        await expect(written).rejects.toMatchObject({
          code: 2,
          stderr: expect.stringContaining('is not empty'),
        });
        expect(await readFile(join(folder, 'kept'), 'utf8')).toBe('yes');
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );

  it.each([
    { program: 'app', unneeded: ['@modelcontextprotocol/server/', 'zod/v4/locales/ko.js'] },
    { program: 'worker', unneeded: ['@slack/bolt/', 'express/', 'zod/v4/locales/ko.js'] },
  ])(
    'does not load code at the start of the $program that it may not need',
    async ({ program, unneeded }) => {
      const loaded = await sourcesAtStart(join(assembled, 'dist'), `${program}.js`);
      const isLoaded = (name: string) => loaded.some((file) => file.includes(`/node_modules/${name}`));

      expect(isLoaded('bullmq/')).toBe(true);
      expect(unneeded.filter(isLoaded)).toEqual([]);
    },
  );

  it('has the licence of each package in the bundle', async () => {
    const text = await readFile(join(assembled, 'dist', 'third-party-licences.txt'), 'utf8');

    for (const name of ['bullmq', '@slack/bolt', '@kubernetes/client-node', 'zod'])
      expect(text).toContain(`\n${name} `);
  });
});
