/**
 * Repeats the failed and unsteady tests of a log and what each tier cost, and adds up its `N passed, N failed` lines into
 * one last line. What ran again on another Node is counted too, and repeated on a line of its own before. Arguments: the
 * log, the status so far.
 */
import { readFileSync } from 'node:fs';

const [log = '', status = '0'] = process.argv.slice(2);
const text = readFileSync(log, 'utf8');
let passed = 0;
let failed = 0;
let skipped = 0;
for (const [, good, bad] of text.matchAll(/^(?:Node [\d.]+: )?(\d+) passed, (\d+) failed$/gm)) {
  passed += Number(good);
  failed += Number(bad);
}
for (const [, count] of text.matchAll(/^(\d+) skipped$/gm)) skipped += Number(count);
for (const [line] of text.matchAll(
  /^(?:(?:failed|unsteady): .*|tier .*|Node [\d.]+: \d+ passed, \d+ failed)$/gm,
)) {
  process.stdout.write(`${line}\n`);
}
if (status !== '0' && failed === 0) {
  process.stdout.write('A check or a test run failed; see above.\n');
  failed = 1;
}
if (passed === 0) failed += 1;
if (skipped > 0) process.stdout.write(`${skipped} skipped\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
