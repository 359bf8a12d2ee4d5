import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { emptyFolder } from './empty-folder.mjs';

/**
 * Writes the archive of the kubectl plugin and its Krew manifest into FOLDER, which must be absent or empty:
 * `node scripts/assemble-krew.mjs FOLDER REPOSITORY`. REPOSITORY is `https://github.com/OWNER/rollout-doctor`, from whose
 * release of this version Krew downloads the archive. The same sources give the same bytes.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const [, , , repository = ''] = process.argv;
if (!/^https:\/\/[\w.-]+(?:\/[\w.-]+){2}$/u.test(repository)) {
  process.stderr.write(
    'Usage: node scripts/assemble-krew.mjs FOLDER https://github.com/OWNER/rollout-doctor\n',
  );
  process.exit(2);
}
const folder = emptyFolder('assemble-krew');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const archive = `rollout-doctor-krew-v${version}.tar.gz`;

const assembled = mkdtempSync(join(tmpdir(), 'rollout-doctor-krew-'));
try {
  run(process.execPath, [join(root, 'scripts/assemble-package.mjs'), join(assembled, 'plugin')]);
  const owner = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0', '--mode=go-w'];
  const tar = join(assembled, 'plugin.tar');
  run('tar', [...owner, '-C', join(assembled, 'plugin'), '-cf', tar, '.']);
  // `-n` leaves out name and time.
  run('gzip', ['-n', '-9', tar]);
  writeFileSync(join(folder, archive), readFileSync(`${tar}.gz`));
} finally {
  rmSync(assembled, { recursive: true, force: true });
}

const sha256 = createHash('sha256')
  .update(readFileSync(join(folder, archive)))
  .digest('hex');
const manifest = {
  apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
  kind: 'Plugin',
  metadata: { name: 'rollout-doctor' },
  spec: {
    version: `v${version}`,
    homepage: repository,
    shortDescription: 'Prove why a rollout is stuck',
    description:
      'Diagnoses Deployments, StatefulSets and DaemonSets whose rollout is stuck: proves deadlocks with a model of\nthe scheduler and the controllers, and computes fixes with their cost. It changes nothing.\n',
    caveats: 'The plugin needs Node.js 20.19 or newer on the PATH.\n',
    platforms: [
      {
        selector: { matchExpressions: [{ key: 'os', operator: 'In', values: ['darwin', 'linux'] }] },
        uri: `${repository}/releases/download/v${version}/${archive}`,
        sha256,
        bin: 'dist/rollout-doctor.js',
      },
    ],
  },
};
writeFileSync(join(folder, 'rollout-doctor.yaml'), stringify(manifest));

function run(program, args) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw error ?? new Error(`${program} ended with status ${status}`);
}
