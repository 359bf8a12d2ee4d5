/** Reads what `vitest --reporter=json` left: how many tests passed, failed and did not run, and a line per failure. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const longestReason = 400;

/** @returns {{ passed: number, failed: number, skipped: number, failures: readonly string[] }} */
export function readTestReport(path) {
  let report;
  try {
    report = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return { passed: 0, failed: 1, skipped: 0, failures: [`failed: no report was left: ${error.message}`] };
  }
  const failures = [];
  let unloadable = 0;
  for (const file of report.testResults) {
    const name = relative('.', file.name);
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    for (const { fullName, failureMessages } of failed) {
      failures.push(`failed: ${name} > ${fullName}: ${reason(failureMessages)}`);
    }
    if (file.status === 'failed' && failed.length === 0) {
      failures.push(`failed: ${name}: ${reason([file.message ?? ''])}`);
      if (file.assertionResults.length === 0) unloadable += 1;
    }
  }
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloadable,
    skipped: report.numPendingTests,
    failures,
  };
}

function reason(messages) {
  const text = stripVTControlCharacters(messages.join(' | ')).replaceAll(/\s+/g, ' ').trim();
  return text.length > longestReason ? `${text.slice(0, longestReason)}…` : text;
}
