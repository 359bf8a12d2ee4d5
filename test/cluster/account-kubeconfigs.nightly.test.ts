import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from './harness/cluster.js';
import { ensureTool } from './harness/tools.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The commands of `docs/install.md` for Docker Compose, up to the owner of the files. */
describe('kubeconfigs of the two accounts', () => {
  let cluster: Cluster;
  let folder: string;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    cluster = await startCluster({ kubelets: 'none' });
    folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-kubeconfigs-'));
    const { file } = await ensureTool('kubectl');
    await symlink(file, join(folder, 'kubectl'));
    env = {
      PATH: [folder, '/usr/bin', '/bin'].join(delimiter),
      HOME: folder,
      KUBECONFIG: cluster.controlPlane.adminKubeconfig,
    };
    await kubectl('apply', '-k', 'deploy/rbac/cluster-wide');
    await kubectl('apply', '-f', 'deploy/rbac/tokens/tokens.yaml');
  });
  afterAll(async () => {
    await cluster?.stop();
    await rm(folder, { recursive: true });
  });

  const kubectl = (...args: readonly string[]) => run('kubectl', args, { cwd: root, env });
  const print = (...args: readonly string[]) =>
    run('sh', ['deploy/rbac/tokens/kubeconfig.sh', ...args], { cwd: root, env });

  it.each([
    ['reader', 'list pods', 'yes'],
    ['reader', 'patch deployments.apps', 'no'],
    ['patcher', 'patch deployments.apps', 'yes'],
    ['patcher', 'get secrets', 'no'],
  ])('lets the %s %s: %s', async (account, right, allowed) => {
    const kubeconfig = join(folder, account);
    await writeFile(kubeconfig, (await print(account)).stdout, { mode: 0o600 });
    const asked = run('kubectl', ['auth', 'can-i', ...right.split(' '), '-A'], {
      env: { ...env, KUBECONFIG: kubeconfig },
    }).catch(({ stdout }: { readonly stdout: string }) => ({ stdout }));
    expect((await asked).stdout.trim()).toBe(allowed);
  });

  it('names the accounts where another one is given', async () => {
    await expect(print('admin')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('reader or patcher'),
    });
  });
});
