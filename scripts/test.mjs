/**
 * The README's `npm test`: sets the clone up, runs the quick tiers, and ends with a line per failure, a line per tier and
 * one line `N passed, N failed` over all of them. `.ci/run` runs the others.
 *
 * Arguments: tier names to run these instead. ROLLOUT_DOCTOR_TESTS_ON names a further Node that the tests run on; it
 * stands before each line that counts or names tests, so that nobody takes them for further tests.
 */
import { runTier } from './run-tier.mjs';

const on = process.env.ROLLOUT_DOCTOR_TESTS_ON;
const quick = ['unit', 'scenario', 'integration'];
const all = [...quick, 'edges', 'thorough', 'system', 'browser'];
const asked = process.argv.slice(2);
const unknown = asked.filter((tier) => !all.includes(tier));
if (unknown.length > 0) {
  process.stderr.write(`There is no test tier ${unknown.join(', ')}; there are ${all.join(', ')}.\n`);
  process.exit(2);
}
const totals = { passed: 0, failed: 0, skipped: 0 };
const lines = [];
const costs = [];
for (const tier of asked.length > 0 ? asked : quick) {
  process.stdout.write(`\n── ${tier}${on === undefined ? '' : ` on ${on}`}\n`);
  const counted = await runTier({ tier });
  totals.passed += counted.passed;
  totals.failed += counted.failed;
  totals.skipped += counted.skipped;
  lines.push(...counted.lines.map((line) => (on === undefined ? line : line.replace(': ', `: ${on}: `))));
  costs.push(on === undefined ? counted.cost : counted.cost.replace(':', ` on ${on}:`));
  const mayRunNothing = tier === 'browser' && counted.skipped > 0;
  if (counted.passed === 0 && counted.failed === 0 && !mayRunNothing) {
    totals.failed += 1;
    lines.push(`failed: ${tier}: no test ran`);
  }
}
for (const line of [...lines, ...costs]) process.stdout.write(`${line}\n`);
process.stdout.write(totals.skipped > 0 ? `\n${totals.skipped} skipped\n` : '\n');
process.stdout.write(
  `${on === undefined ? '' : `${on}: `}${totals.passed} passed, ${totals.failed} failed\n`,
);
process.exit(totals.failed === 0 ? 0 : 1);
