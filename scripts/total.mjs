/** Adds up the `N passed, N failed` lines of a log into one last line. Arguments: the log, the status so far. */
import { readFileSync } from 'node:fs';

const [log = '', status = '0'] = process.argv.slice(2);
const totals = { passed: 0, failed: 0, skipped: 0 };
for (const [, passed, failed, skipped] of readFileSync(log, 'utf8').matchAll(
  /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm,
)) {
  totals.passed += Number(passed);
  totals.failed += Number(failed);
  totals.skipped += Number(skipped ?? 0);
}
if (status !== '0' && totals.failed === 0) {
  process.stdout.write('A check or a test run failed; see above.\n');
  totals.failed = 1;
}
if (totals.passed === 0) totals.failed += 1;
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : '';
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed${skipped}\n`);
process.exit(totals.failed === 0 ? 0 : 1);
