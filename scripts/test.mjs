/**
 * The README's `npm test`: sets the clone up, runs every tier, and ends with a line per failure and one line
 * `N passed, N failed` over all of them. The cluster tier runs where Go is present.
 *
 * Arguments: tier names to run only these.
 */
import { runTier } from './run-tier.mjs';

const all = ['unit', 'scenario', 'integration', 'browser'];
const asked = process.argv.slice(2);
const unknown = asked.filter((tier) => !all.includes(tier));
if (unknown.length > 0) {
  process.stderr.write(`There is no test tier ${unknown.join(', ')}; there are ${all.join(', ')}.\n`);
  process.exit(2);
}
const totals = { passed: 0, failed: 0, skipped: 0 };
const lines = [];
for (const tier of asked.length > 0 ? asked : all) {
  process.stdout.write(`\n── ${tier}\n`);
  const counted = runTier({ tier });
  totals.passed += counted.passed;
  totals.failed += counted.failed;
  totals.skipped += counted.skipped;
  lines.push(...counted.lines);
  const mayRunNothing = tier === 'browser' && counted.skipped > 0;
  if (counted.passed === 0 && counted.failed === 0 && !mayRunNothing) {
    totals.failed += 1;
    lines.push(`failed: ${tier}: no test ran`);
  }
}
for (const line of lines) process.stdout.write(`${line}\n`);
process.stdout.write(totals.skipped > 0 ? `\n${totals.skipped} skipped\n` : '\n');
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`);
process.exit(totals.failed === 0 ? 0 : 1);
