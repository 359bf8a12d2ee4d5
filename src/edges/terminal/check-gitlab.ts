import { fingerprintOf, isProblem, repositoryPath } from './check-place.js';
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
