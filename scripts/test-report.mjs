/**
 * The report of a test run: this file is the reporter that vitest runs, and it reads what the reporter left. Vitest's own JSON
 * has no error of a hook, so a file whose `beforeAll` failed would fail without a reason.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const longestReason = 400;

/**
 * @typedef {{ test: string, reason: string }} Failure `test` is '' where no test failed, but a hook or the file
 * @typedef {{ name: string, passed: number, failed: number, skipped: number, seconds: number, failures: readonly Failure[] }} TestFile
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

/** Vitest makes its reporters with `new`; ROLLOUT_DOCTOR_TEST_REPORT names the file to write. */
export default function testReporter() {
  return {
    onTestRunEnd(modules) {
      writeFileSync(process.env.ROLLOUT_DOCTOR_TEST_REPORT, JSON.stringify(modules.map(countModule)));
    },
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
