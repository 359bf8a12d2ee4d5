/**
 * Runs the quick tiers once more on Node 24, which the README recommends. `node@24` from npm is installed once, beside
 * the packages in node_modules/.cache; later runs need no network. On Node 24 or newer there is nothing to do again.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Exact, so that a run can be repeated. */
const version = '24.21.0';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
if (Number(process.versions.node.split('.')[0]) >= 24) {
  process.stdout.write(`The tests above ran on Node ${process.versions.node} already.\n`);
  process.exit(0);
}
const folder = join(root, 'node_modules', '.cache', 'rollout-doctor', `node-${version}`);
const bin = join(folder, 'node_modules', 'node', 'bin');
const node = join(bin, 'node');
if (!existsSync(node)) {
  process.stderr.write(`Installing Node ${version} for the tests (npm install node@${version}) …\n`);
  mkdirSync(folder, { recursive: true });
  const args = [
    'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    `node@${version}`,
  ];
  spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}
if (spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim() !== `v${version}`) {
  process.stdout.write(
    `failed: Node ${version} could not be installed\nNode ${version}: 0 passed, 1 failed\n`,
  );
  process.exit(1);
}
const env = {
  ...process.env,
  PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
  ROLLOUT_DOCTOR_TESTS_ON: `Node ${version}`,
};
const test = fileURLToPath(new URL('test.mjs', import.meta.url));
process.exit(spawnSync(node, [test, ...process.argv.slice(2)], { stdio: 'inherit', env }).status ?? 1);
