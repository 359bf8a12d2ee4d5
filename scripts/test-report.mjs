/** Reads what `vitest --reporter=json` left. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const longestReason = 400;

/**
 * @typedef {{ test: string, reason: string }} Failure `test` is '' where the file itself could not run
 * @returns {readonly { name: string, passed: number, failed: number, skipped: number, seconds: number, failures: readonly Failure[] }[]}
 * each test file; without a readable report one failed file
 */
export function readTestReport(path) {
  let report;
  try {
    report = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = `no report was left: ${error.message}`;
    return [
      { name: 'vitest', passed: 0, failed: 1, skipped: 0, seconds: 0, failures: [{ test: '', reason }] },
    ];
  }
  return report.testResults.map((file) => {
    const count = (...statuses) =>
      file.assertionResults.filter(({ status }) => statuses.includes(status)).length;
    const failures = file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({ test: fullName, reason: reasonOf(failureMessages) }));
    if (file.status === 'failed' && failures.length === 0) {
      failures.push({ test: '', reason: reasonOf([file.message ?? '']) });
    }
    return {
      name: relative('.', file.name),
      passed: count('passed'),
      failed: failures.length,
      skipped: count('pending', 'skipped', 'todo', 'disabled'),
      seconds: (file.endTime - file.startTime) / 1000,
      failures,
    };
  });
}

function reasonOf(messages) {
  const text = stripVTControlCharacters(messages.join(' | ')).replaceAll(/\s+/g, ' ').trim();
  return text.length > longestReason ? `${text.slice(0, longestReason)}…` : text;
}
