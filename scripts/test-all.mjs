/**
 * `npm run test:all`: the tiers that `npm test` leaves out. Thorough, system and browser tests end with one line
 * `N passed, N failed`, the cluster tier with another one; a failure of the first does not keep the second from running.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const scripts = [['test.mjs', 'thorough', 'system', 'browser'], ['test-cluster.mjs']];
const failed = scripts.filter(([script, ...args]) => {
  const path = fileURLToPath(new URL(script, import.meta.url));
  return spawnSync(process.execPath, [path, ...args], { stdio: 'inherit' }).status !== 0;
});
process.exit(failed.length === 0 ? 0 : 1);
