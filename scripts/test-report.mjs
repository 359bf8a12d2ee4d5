/**
 * The report of a test run: this file is the reporter that vitest runs, and it reads what the reporter left. Vitest's own JSON
 * has no error of a hook, so a file whose `beforeAll` failed would fail without a reason.
 *
 * The reporter also ends a run in which nothing happens any more: vitest cannot interrupt a test that never returns to its
 * event loop, so the run would last for ever and name no test.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { killProcessesBelow } from './run-measured.mjs';

const longestReason = 400;

/**
 * @typedef {{ test: string, reason: string }} Failure `test` is '' where no test failed, but a hook or the file
 * @typedef {{ name: string, passed: number, failed: number, skipped: number, seconds: number, failures: readonly Failure[], hasBegun?: boolean }} TestFile `hasBegun` is false where the run ended before
 * @returns {readonly TestFile[]} each test file; without a readable report one failed file
 */
export function readTestReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = `no report was left: ${error.message}`;
    return [
      { name: 'vitest', passed: 0, failed: 1, skipped: 0, seconds: 0, failures: [{ test: '', reason }] },
    ];
  }
}

/**
 * Vitest makes its reporters with `new`. ROLLOUT_DOCTOR_TEST_REPORT names the file to write, and
 * ROLLOUT_DOCTOR_TESTS_UNTIL the time, in milliseconds since 1970, at which the run ends with what it has.
 */
export default function testReporter() {
  const until = Number(process.env.ROLLOUT_DOCTOR_TESTS_UNTIL ?? Number.POSITIVE_INFINITY);
  const waiting = new Set();
  const begun = new Map();
  const ended = [];
  let heardAt = Date.now();
  let longestSilenceMs = Number.POSITIVE_INFINITY;
  const hear = () => {
    heardAt = Date.now();
  };
  const write = (files) => writeFileSync(process.env.ROLLOUT_DOCTOR_TEST_REPORT, JSON.stringify(files));

  function endWhereStuck() {
    const now = Date.now();
    const ownTimeouts = [...begun.values()].map(({ test }) => test?.options.timeout ?? 0);
    const isStuck = now - heardAt > Math.max(longestSilenceMs, 1.25 * Math.max(0, ...ownTimeouts));
    if (!isStuck && now < until) return;
    const because = isStuck
      ? `nothing happened for ${Math.round((now - heardAt) / 1000)} s`
      : 'the time of the whole run was over';
    const stopped = [...begun.values()].map(({ module, test }) => {
      const reason = test === undefined ? because : `${because}; its last test was: ${test.fullName}`;
      const counted = countModule(module);
      return {
        ...counted,
        failed: counted.failed + 1,
        failures: [...counted.failures, { test: '', reason }],
      };
    });
    const unbegun = [...waiting].map((id) => ({
      ...{ name: relative('.', id), passed: 0, failed: 1, skipped: 0, seconds: 0, hasBegun: false },
      failures: [{ test: '', reason: `did not begin: ${because}` }],
    }));
    write([...ended, ...stopped, ...unbegun]);
    for (const { name, failures } of stopped)
      process.stdout.write(`stuck: ${name}: ${failures.at(-1).reason}\n`);
    killProcessesBelow(process.pid);
    process.exit(1);
  }

  return {
    onTestRunStart(specifications) {
      hear();
      for (const { moduleId } of specifications) waiting.add(moduleId);
      const limits = specifications.map(({ project: { config } }) => config.testTimeout + config.hookTimeout);
      longestSilenceMs = 1.25 * Math.max(0, ...limits);
      setInterval(endWhereStuck, 2_000).unref();
    },
    onTestModuleCollected(module) {
      hear();
      waiting.delete(module.moduleId);
      begun.set(module.moduleId, { module });
    },
    onTestModuleEnd(module) {
      hear();
      waiting.delete(module.moduleId);
      begun.delete(module.moduleId);
      ended.push(countModule(module));
    },
    onTestCaseReady(test) {
      hear();
      begun.set(test.module.moduleId, { module: test.module, test });
    },
    onTestCaseResult: hear,
    onHookStart: hear,
    onHookEnd: hear,
    onTestRunEnd: (modules) => write(modules.map(countModule)),
  };
}

/** @returns {TestFile} */
function countModule(module) {
  const tests = [...module.children.allTests()].map((test) => ({ name: test.fullName, ...test.result() }));
  const outside = [module, ...module.children.allSuites()].flatMap((each) =>
    each.errors().map((error) => ({ test: each.fullName ?? '', reason: reasonOf([error]) })),
  );
  const failures = [
    ...tests
      .filter(({ state }) => state === 'failed')
      .map(({ name, errors }) => ({ test: name, reason: reasonOf(errors) })),
    ...outside,
  ];
  return {
    name: relative('.', module.moduleId),
    passed: tests.filter(({ state }) => state === 'passed').length,
    failed: failures.length,
    skipped: tests.filter(({ state }) => state === 'skipped' || state === 'pending').length,
    seconds: module.diagnostic().duration / 1000,
    failures,
  };
}

function reasonOf(errors) {
  const messages = errors.map(({ stack, message }) => stack ?? message);
  const text = stripVTControlCharacters(messages.join(' | ')).replaceAll(/\s+/g, ' ').trim();
  return text.length > longestReason ? `${text.slice(0, longestReason)}…` : text;
}
