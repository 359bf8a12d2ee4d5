/**
 * The README's `npm test`: sets the clone up, runs every tier, and ends with a line per failure and one line
 * `N passed, N failed` over all of them. The cluster tier runs where Go is present.
 *
 * Arguments: tier names to run only these.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTestReport } from './test-report.mjs';

const all = ['unit', 'scenario', 'integration', 'browser'];
const asked = process.argv.slice(2);
const unknown = asked.filter((tier) => !all.includes(tier));
if (unknown.length > 0) {
  process.stderr.write(`There is no test tier ${unknown.join(', ')}; there are ${all.join(', ')}.\n`);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-test-'));
const totals = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
let broken = false;
try {
  for (const tier of asked.length > 0 ? asked : all) {
    const report = join(folder, `${tier}.json`);
    process.stdout.write(`\n── ${tier}\n`);
    const args = [
      '--no-install',
      'vitest',
      'run',
      '--project',
      tier,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ];
    const done = spawnSync('npx', args, { stdio: ['ignore', 'inherit', 'inherit'] });
    const counted = readTestReport(report);
    totals.passed += counted.passed;
    totals.failed += counted.failed;
    totals.skipped += counted.skipped;
    failures.push(...counted.failures);
    const sawNothing = counted.passed === 0 && !(tier === 'browser' && counted.skipped > 0);
    if (done.status !== 0 || sawNothing) {
      process.stdout.write(`${tier}: ended with status ${done.status}, ${counted.passed} passed\n`);
      broken = true;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) process.stdout.write(`${failure}\n`);
if (broken && totals.failed === 0) totals.failed = 1;
process.stdout.write(totals.skipped > 0 ? `\n${totals.skipped} skipped\n` : '\n');
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`);
process.exit(totals.failed === 0 ? 0 : 1);
