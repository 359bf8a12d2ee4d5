/**
 * `npm run test:all`: the tiers that `npm test` leaves out. Thorough, system and browser tests end with one line
 * `N passed, N failed`, the cluster tier with another one; a failure of the first does not keep the second from running.
 *
 * The cluster tier runs beside the others, since all of them mostly wait for processes; what it prints comes last. Its
 * programs are built first, at the lowest priority (`test/cluster/harness/go-tool.ts`).
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

function run([script, ...args], output) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', output, output] });
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (status) => resolve(status ?? 1));
  });
}

const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-test-'));
try {
  const path = join(folder, 'cluster.log');
  const log = openSync(path, 'w');
  const statuses = await Promise.all([
    run(['test.mjs', 'thorough', 'system', 'browser'], 'inherit'),
    run(['test-cluster.mjs'], log),
  ]);
  closeSync(log);
  process.stdout.write(`\n── cluster\n${readFileSync(path, 'utf8')}`);
  process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
