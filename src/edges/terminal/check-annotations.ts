import { createHash } from 'node:crypto';
import { relative, resolve, sep } from 'node:path';
import type { CheckOutcome } from '../../doctor/forecasts/rollout-check.js';
import { plain, say } from '../../engine/language/prose.js';
import { version } from '../telemetry/version.js';
import type { CheckedManifest, CheckReportOptions } from './check-report.js';
import { checkSentence, outcomeLevels } from './check-report.js';

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
function repositoryPath(file: string): string {
  if (file === '-') return standardInput;
  const path = relative(process.cwd(), resolve(file));
  return (path.startsWith('..') ? file : path).replaceAll(sep, '/');
}

/**
 * Path, workload and outcome as one number: the same result has the same one in the next run, on whatever
 * line it is.
 */
function fingerprintOf({ file, check }: CheckedManifest): string {
  const { kind, namespace, name } = check.workload;
  return createHash('sha256')
    .update(JSON.stringify([repositoryPath(file), kind, namespace, name, check.outcome]))
    .digest('hex');
}

/** Results that are not fine: an annotation of the level `notice` is only information. */
export function isProblem({ check }: CheckedManifest): boolean {
  return outcomeLevels[check.outcome] !== 'notice';
}

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
    const [title, help] = [text[`${outcome}-title`](), text[`${outcome}-help`]()].map(plain);
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
          driver: { name: 'rollout-doctor', semanticVersion: version, rules: reportedOutcomes.map(ruleOf) },
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

/** The outcomes of a check that code scanning shows as results. */
const reportedOutcomes = [
  'deadlock',
  'stuck',
  'refused',
  'cannot-tell',
] as const satisfies readonly CheckOutcome[];
type ReportedOutcome = (typeof reportedOutcomes)[number];

/** What each outcome means, for people who read it in code scanning. */
const en = {
  'deadlock-title': () => say`The update deadlocks`,
  'deadlock-help': () =>
    say`The new pod needs a resource that the workload's own old pods use. The strategy stops no old pod before a new pod is ready. Set maxSurge to 0 and maxUnavailable to 1, or add capacity for one more pod.`,
  'stuck-title': () => say`The update gets stuck`,
  'stuck-help': () =>
    say`A new pod finds no node, quota or volume, and the workload's own pods are not the reason. Add capacity, or change the requests or the placement rules of the pod.`,
  'refused-title': () => say`The API server refuses the update`,
  'refused-help': () =>
    say`The API server does not accept the manifest or its pods. Change the field that the message names.`,
  'cannot-tell-title': () => say`The outcome could not be determined`,
  'cannot-tell-help': () =>
    say`The check lacks a fact. The message states which objects could not be read, or which event decides the outcome.`,
};

const ko: typeof en = {
  'deadlock-title': () => say`업데이트가 교착 상태에 빠집니다`,
  'deadlock-help': () =>
    say`새 파드에 필요한 리소스를 같은 워크로드의 기존 파드가 사용하고 있습니다. 이 전략에서는 새 파드가 준비되기 전에 기존 파드를 중지하지 않습니다. maxSurge를 0, maxUnavailable을 1로 설정하거나 파드 하나를 더 실행할 용량을 추가하세요.`,
  'stuck-title': () => say`업데이트가 중간에 멈춥니다`,
  'stuck-help': () =>
    say`새 파드를 실행할 노드, 쿼터 또는 볼륨이 없으며, 같은 워크로드의 파드가 원인은 아닙니다. 용량을 추가하거나 파드의 리소스 요청량 또는 배치 규칙을 변경하세요.`,
  'refused-title': () => say`API 서버가 업데이트를 거부합니다`,
  'refused-help': () =>
    say`API 서버가 매니페스트 또는 파드를 받아들이지 않습니다. 메시지에 나온 필드를 변경하세요.`,
  'cannot-tell-title': () => say`결과를 판단할 수 없습니다`,
  'cannot-tell-help': () =>
    say`판단에 필요한 정보가 부족합니다. 읽지 못한 오브젝트나 결과를 좌우하는 이벤트는 메시지에 나와 있습니다.`,
};

const checkRulesText = { en, ko };
