/**
 * Runs the given shell commands beside each other, in their order, one more than there are cores: most tests wait for
 * processes. Prints the output of each when it ends. Then repeats all failed and unsteady tests and what each tier cost,
 * and adds up all `N passed, N failed` lines into one last line. What ran again on another Node is counted too, and
 * repeated on a line of its own before. A command that fails without a counted failure, such as a killed one, is one.
 * A run that takes too long ends its tests, which then say where they were, and later everything else.
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { killProcessesBelow, runMeasured } from './run-measured.mjs';

/** A whole run takes 20 minutes. */
const maxTestMinutes = 65;
const maxRunMinutes = 75;
const minute = 60_000;

const commands = process.argv.slice(2);
const waiting = commands.entries();
const outputs = mkdtempSync(join(tmpdir(), 'rollout-doctor-run-'));
const lines = [];
const totals = { passed: 0, failed: 0, skipped: 0 };

async function runWaiting() {
  for (const [at, command] of waiting) {
    process.stdout.write(`begins: ${command}\n`);
    const path = join(outputs, String(at));
    const output = openSync(path, 'w');
    const { status } = await runMeasured(['sh', '-c', command], { stdio: ['ignore', output, output] });
    closeSync(output);
    const text = readFileSync(path, 'utf8');
    process.stdout.write(`\n── ${command}\n${text}`);
    count(command, status, text);
  }
}

function count(command, status, text) {
  let failed = 0;
  for (const [, good, bad] of text.matchAll(/^(?:Node [\d.]+: )?(\d+) passed, (\d+) failed$/gm)) {
    totals.passed += Number(good);
    failed += Number(bad);
  }
  for (const [, skipped] of text.matchAll(/^(\d+) skipped$/gm)) totals.skipped += Number(skipped);
  const repeated = /^(?:(?:failed|unsteady): .*|tier .*|Node [\d.]+: \d+ passed, \d+ failed)$/gm;
  lines.push(...(text.match(repeated) ?? []));
  if (status !== 0 && failed === 0) {
    failed = 1;
    lines.push(`failed: ${command}: ended with status ${status} and counted no failure`);
  }
  totals.failed += failed;
}

process.env.ROLLOUT_DOCTOR_TESTS_UNTIL ??= String(Date.now() + maxTestMinutes * minute);
setTimeout(() => killProcessesBelow(process.pid), maxRunMinutes * minute).unref();
await Promise.all(Array.from({ length: availableParallelism() + 1 }, runWaiting));
rmSync(outputs, { recursive: true });
process.stdout.write('\n');
for (const line of lines) process.stdout.write(`${line}\n`);
if (totals.passed === 0) totals.failed += 1;
if (totals.skipped > 0) process.stdout.write(`${totals.skipped} skipped\n`);
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`);
process.exit(totals.failed === 0 ? 0 : 1);
