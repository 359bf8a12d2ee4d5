/** Runs the quick tiers once more on Node 24, which the README recommends. On Node 24 or newer there is nothing to do again. */
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureNode24, version } from './node-24.mjs';

if (Number(process.versions.node.split('.')[0]) >= 24) {
  process.stdout.write(`The tests above ran on Node ${process.versions.node} already.\n`);
  process.exit(0);
}
const bin = ensureNode24();
if (bin === undefined) {
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
const node = join(bin, 'node');
process.exit(spawnSync(node, [test, ...process.argv.slice(2)], { stdio: 'inherit', env }).status ?? 1);
