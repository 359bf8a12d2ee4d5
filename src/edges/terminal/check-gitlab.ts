import { createHash } from 'node:crypto';
import { relative, resolve, sep } from 'node:path';
import {
  type CheckedManifest,
  type CheckReportOptions,
  checkSentence,
  outcomeLevels,
} from './checked-manifest.js';

const severities = { error: 'critical', warning: 'minor', notice: 'info' } as const;

/**
 * A code quality report of GitLab CI, a list of issues (docs.gitlab.com/ci/testing/code_quality: Code Quality
 * report format). An update that completes is no issue.
 */
export function checkGitLab(checked: readonly CheckedManifest[], options: CheckReportOptions) {
  const said = checkSentence(options);
  return checked.filter(isProblem).map((each) => ({
    description: [each.check.summary, ...each.check.reasoning].map(said).join(' '),
    check_name: `rollout-${each.check.outcome}`,
    fingerprint: fingerprintOf(each),
    severity: severities[outcomeLevels[each.check.outcome]],
    location: { path: repositoryPath(each.file), lines: { begin: each.line } },
  }));
}

/** The path that stands for standard input where a format requires a file. */
const standardInput = 'standard-input';

/**
 * The path of a manifest below the working directory, which is the root of the repository in CI, with `/`
 * between folders. A file outside of it keeps its whole path.
 */
export function repositoryPath(file: string): string {
  if (file === '-') return standardInput;
  const path = relative(process.cwd(), resolve(file));
  return (path.startsWith('..') ? file : path).replaceAll(sep, '/');
}

/**
 * Path, workload and outcome as one number: the same result has the same one in the next run, on whatever
 * line it is.
 */
export function fingerprintOf({ file, check }: CheckedManifest): string {
  const { kind, namespace, name } = check.workload;
  return createHash('sha256')
    .update(JSON.stringify([repositoryPath(file), kind, namespace, name, check.outcome]))
    .digest('hex');
}

/** Results that are not fine: an annotation of the level `notice` is only information. */
export function isProblem({ check }: CheckedManifest): boolean {
  return outcomeLevels[check.outcome] !== 'notice';
}
