/**
 * All static checks, as many at once as there are cores; every one runs even when another failed. The dearest come first.
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { costLine, describeCost, runMeasured } from './run-measured.mjs';

const checks = [
  ['types', ['tsc', '--noEmit', '-p', 'tsconfig.json']],
  ['engine and doctor use nothing of Node or the browser', ['tsc', '--noEmit', '-p', 'tsconfig.pure.json']],
  ['direction of imports', ['node', 'scripts/check-imports.mjs']],
  ['dead files and exports', ['knip']],
  ['house: counts and their limits', ['node', 'scripts/house.mjs']],
  ['no decision by sentences', ['node', 'scripts/check-statements.mjs']],
  ['types of the demo page', ['tsc', '--noEmit', '-p', 'demo/slack/page/tsconfig.json']],
  ['types of the page for dumps', ['tsc', '--noEmit', '-p', 'src/edges/dump-page/browser/tsconfig.json']],
  ['format and lint', ['biome', 'check', '.']],
];
const started = performance.now();
const outputs = mkdtempSync(join(tmpdir(), 'rollout-doctor-check-'));
const waiting = checks.entries();
const failed = [];
let processorSeconds = 0;

async function runWaiting() {
  for (const [at, [name, [program, ...args]]] of waiting) {
    const command =
      program === 'node' ? [process.execPath, ...args] : ['npx', '--no-install', program, ...args];
    const path = join(outputs, String(at));
    const output = openSync(path, 'w');
    const done = await runMeasured(command, { stdio: ['ignore', output, output] });
    closeSync(output);
    processorSeconds += done.processorSeconds;
    if (done.status !== 0) failed.push(name);
    process.stderr.write(`check ${name}: ${describeCost(done)}\n${readFileSync(path, 'utf8')}`);
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));
rmSync(outputs, { recursive: true });
const seconds = (performance.now() - started) / 1000;
for (const name of failed) process.stderr.write(`failed: check: ${name}\n`);
process.stdout.write(
  `${costLine('static checks', `${checks.length} checks`, { seconds, processorSeconds })}\n`,
);
process.exit(failed.length === 0 ? 0 : 1);
