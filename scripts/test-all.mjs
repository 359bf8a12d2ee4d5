/**
 * `npm run test:all`: the tiers that `npm test` leaves out. Thorough, system and browser tests end with one line
 * `N passed, N failed`, the cluster tier with another one; a failure of the first does not keep the second from running.
 *
 * The programs of the cluster tier are built beside the other tiers, which mostly wait for processes. The builds have the
 * lowest priority (`test/cluster/harness/go-tool.ts`); the cluster tier waits for them, and reports what could not be built.
 */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { hasGo } from './has-go.mjs';

if (hasGo()) {
  const build = spawn('npx', ['--no-install', 'tsx', 'test/cluster/build.ts'], { stdio: 'ignore' });
  build.on('error', () => undefined);
  build.unref();
}

const scripts = [['test.mjs', 'thorough', 'system', 'browser'], ['test-cluster.mjs']];
const failed = scripts.filter(([script, ...args]) => {
  const path = fileURLToPath(new URL(script, import.meta.url));
  return spawnSync(process.execPath, [path, ...args], { stdio: 'inherit' }).status !== 0;
});
process.exit(failed.length === 0 ? 0 : 1);
