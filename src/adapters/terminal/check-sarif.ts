import { plain } from '../../core/language/prose.js';
import { version } from '../../version.js';
import { fingerprintOf, isProblem, repositoryPath } from './check-place.js';
import { checkRulesText, type ReportedOutcome, reportedOutcomes } from './check-rules-text.js';
import {
  type CheckedManifest,
  type CheckReportOptions,
  checkSentence,
  outcomeLevels,
} from './checked-manifest.js';

/**
 * SARIF 2.1.0 (OASIS), as code scanning of GitHub reads it: no result for an update that completes, one
 * fingerprint a result, and a category for each cluster (docs.github.com: SARIF support for code scanning).
 *
 * @param cluster makes results about several clusters several analyses
 */
export function checkSarif(
  checked: readonly CheckedManifest[],
  options: CheckReportOptions & { readonly cluster: string },
) {
  const said = checkSentence(options);
  const ruleOf = (outcome: ReportedOutcome) => {
    const text = checkRulesText[options.language];
    const [title, help] = [text[`${outcome}-title`]({}), text[`${outcome}-help`]({})].map(plain);
    return {
      id: `rollout-${outcome}`,
      name: `rollout-${outcome}`,
      shortDescription: { text: title },
      fullDescription: { text: help },
      help: { text: help, markdown: help },
      defaultConfiguration: { level: levelOf(outcome) },
      properties: {
        tags: ['kubernetes', 'availability'],
        precision: 'very-high',
        'problem.severity': levelOf(outcome),
      },
    };
  };
  const ruleIds: readonly string[] = reportedOutcomes.map((outcome) => `rollout-${outcome}`);
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'rollout-doctor',
            semanticVersion: version,
            rules: reportedOutcomes.map(ruleOf),
          },
        },
        automationDetails: { id: `rollout-doctor/${options.cluster}/` },
        results: checked.filter(isProblem).map((each) => ({
          ruleId: `rollout-${each.check.outcome}`,
          ruleIndex: ruleIds.indexOf(`rollout-${each.check.outcome}`),
          level: outcomeLevels[each.check.outcome],
          message: { text: [each.check.summary, ...each.check.reasoning].map(said).join('\n') },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: uriOf(each.file) },
                region: { startLine: each.line },
              },
            },
          ],
          partialFingerprints: { primaryLocationLineHash: `${fingerprintOf(each).slice(0, 16)}:1` },
        })),
      },
    ],
  };
}

function levelOf(outcome: ReportedOutcome): 'error' | 'warning' {
  return outcomeLevels[outcome] === 'error' ? 'error' : 'warning';
}

function uriOf(file: string): string {
  return repositoryPath(file).split('/').map(encodeURIComponent).join('/');
}
