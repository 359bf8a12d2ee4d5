/**
 * Runs one test tier with vitest and counts its tests. In a tier whose parts are real processes, files that failed run
 * once more, alone, and so do those that did not begin since another one was stuck. A test that passes then is counted as
 * passed and named as unsteady, so that it is seen and mended, but one starved process among thousands of tests does not
 * refuse a change. Where more than `maxRerunFiles` files failed, nothing runs again, and neither do random comparisons: what
 * they draw depends on the cluster, so a second run with the same seed compares other steps. Why:
 * docs/decisions/second-run.md.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addCosts, costLine, runMeasured } from './run-measured.mjs';
import { readTestReport } from './test-report.mjs';

const tiersOfProcesses = [
  'integration',
  'edges',
  'system',
  'browser',
  'cluster',
  'nightly',
  'nightly-system',
];
const maxRerunFiles = 3;
const randomComparisons = 'test/cluster/random/';

/**
 * @typedef {{ name: string, passed: number, failed: number, skipped: number, seconds: number }} CountedFile
 * @param {{ tier: string, files?: readonly string[], env?: NodeJS.ProcessEnv }} asked
 * @returns {Promise<{
 *   passed: number, failed: number, skipped: number, lines: readonly string[], files: readonly CountedFile[], cost: string,
 * }>} `lines` names each failed and each unsteady test; `cost` is the line about the tier
 */
export async function runTier({ tier, files = [], env = process.env }) {
  const first = await runOnce(tier, files, env);
  const again = filesToRepeat(tier, first);
  if (again.length === 0 || Date.now() > Number(env.ROLLOUT_DOCTOR_TESTS_UNTIL)) {
    return describeRun(tier, first, first);
  }
  process.stdout.write(`\n── ${tier}: ${again.length} failed file(s) again\n`);
  const second = await runOnce(tier, again, env);
  return describeRun(tier, mergeRuns(first, second), addCosts(first, second));
}

function describeRun(tier, run, cost) {
  const counted = countTests(run);
  const tests = `${(counted.passed + counted.failed).toLocaleString('en')} tests`;
  return { ...counted, files: run.files, cost: costLine(tier, tests, cost) };
}

/** Names of the failed files that run once more, and of those that never began since another file was stuck. */
export function filesToRepeat(tier, { files, isBroken }) {
  const named = (isOne) => files.filter(isOne).map(({ name }) => name);
  const failed = named((file) => file.failed > 0 && file.hasBegun !== false);
  if (!tiersOfProcesses.includes(tier) || failed.length > maxRerunFiles || isBroken) return [];
  return [
    ...failed.filter((name) => !name.startsWith(randomComparisons)),
    ...named((file) => file.hasBegun === false),
  ];
}

async function runOnce(tier, files, env) {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-test-'));
  try {
    const report = join(folder, `${tier}.json`);
    const reporters = ['--reporter=default', '--reporter=./scripts/test-report.mjs'];
    const command = ['npx', '--no-install', 'vitest', 'run', '--project', tier, ...reporters, ...files];
    const { status, ...cost } = await runMeasured(command, {
      env: { ...env, ROLLOUT_DOCTOR_TEST_REPORT: report },
    });
    const read = readTestReport(report);
    const hasFailure = read.some((file) => file.failed > 0);
    // An error outside any test, or a crash: no file is to blame, so none can run again.
    return { files: read, isBroken: status !== 0 && !hasFailure, status, ...cost };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first run, with the files of the second one in the place of the same files. */
export function mergeRuns(first, second) {
  const again = new Map(second.files.map((file) => [file.name, file]));
  const files = first.files.map((file) => {
    const later = again.get(file.name);
    if (later === undefined) return file;
    const stillFailing = new Set(later.failures.map(({ test }) => test));
    const unsteady =
      file.hasBegun === false ? [] : file.failures.filter(({ test }) => !stillFailing.has(test));
    return { ...later, unsteady };
  });
  return { ...second, files };
}

export function countTests({ files, isBroken, status }) {
  const sum = (of) => files.reduce((all, file) => all + of(file), 0);
  const line = (kind, name, { test, reason }) =>
    `${kind}: ${name}${test === '' ? '' : ` > ${test}`}: ${reason}`;
  const lines = files.flatMap(({ name, failures, unsteady = [] }) => [
    ...failures.map((failure) => line('failed', name, failure)),
    ...unsteady.map((failure) => line('unsteady', name, failure)),
  ]);
  if (isBroken) lines.push(`failed: vitest ended with status ${status}, and no test failed`);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed) + (isBroken ? 1 : 0),
    skipped: sum(({ skipped }) => skipped),
    lines,
  };
}
