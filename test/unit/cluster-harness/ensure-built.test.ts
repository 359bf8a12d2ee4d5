import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ensureBuilt, programs } from '../../cluster/harness/ensure-built.js';

/** In place of Go: writes down each build, and leaves a file where the program would be. */
const go = `#!/bin/sh
[ "$1" = mod ] && echo "{\\"Dir\\":\\"$MODULE_OF\\"}" && echo "$4" >> "$GO_BUILDS"
[ "$1" = build ] || exit 0
echo "$PWD: $@" >> "$GO_BUILDS"
while [ "$1" != -o ]; do shift; done
echo built > "$2/server"
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-built-'));
  await writeFile(join(folder, 'go'), go);
  await chmod(join(folder, 'go'), 0o755);
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  vi.stubEnv('XDG_CACHE_HOME', folder);
  vi.stubEnv('GO_BUILDS', join(folder, 'builds'));
  programs.built.clear();
  programs.reused.clear();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const etcd = { name: 'etcd', version: '3.6.5', packages: ['example.com/server'], linkerFlags: '-s -w' };
const builds = async (): Promise<number> =>
  (await readFile(join(folder, 'builds'), 'utf8')).trim().split('\n').length;

it('a program is built once for a recipe, and a run says what it built and what it reused', async () => {
  const place = await ensureBuilt(etcd);
  expect(await readdir(join(place, 'bin'))).toEqual(['server']);
  expect([programs.built.size, programs.reused.size]).toEqual([1, 0]);

  programs.built.clear();
  expect(await ensureBuilt(etcd)).toBe(place);
  expect([programs.built.size, [...programs.reused]]).toEqual([0, [expect.stringMatching(/^etcd-3\.6\.5-/)]]);
  expect(await builds()).toBe(1);
});

it.each([
  ['linker flags', { ...etcd, linkerFlags: '-s' }],
  ['packages', { ...etcd, packages: ['example.com/other'] }],
  ['build tags', { ...etcd, tags: 'netgo' }],
  ['modules', { ...etcd, name: 'etcd-old' }],
])('a recipe with other %s builds another program', async (_, other) => {
  expect(await ensureBuilt(other)).not.toBe(await ensureBuilt(etcd));
  expect(await builds()).toBe(2);
});

it('a module that replaces others is built in the folder of its own download', async () => {
  const own = await mkdtemp(join(folder, 'module-'));
  vi.stubEnv('MODULE_OF', own);
  await ensureBuilt({ ...etcd, ownModule: 'example.com/server' });

  const [downloaded, built] = (await readFile(join(folder, 'builds'), 'utf8')).split('\n');
  expect(downloaded).toBe('example.com/server@v3.6.5');
  expect(built?.split(' -trimpath')[0]).toBe(`${own}: build -mod=readonly`);
});

it('a build that fails leaves nothing that a later run would use', async () => {
  await writeFile(join(folder, 'go'), '#!/bin/sh\n[ "$1" = version ]\n');
  await expect(ensureBuilt(etcd)).rejects.toThrow('go build');
  expect(await readdir(join(folder, 'rollout-doctor/control-plane'))).toEqual([]);
});
