import type { CheckOutcome, RolloutCheck } from '../../core/check/rollout-check.js';
import type { Tell } from '../../core/language/catalogue.js';
import type { Language } from '../../core/language/language.js';
import { plain } from '../../core/language/prose.js';
import type { Statement } from '../../core/language/statement.js';
import { codeSpan, markdown } from '../../core/redaction/markdown.js';
import { untrusted } from '../../core/redaction/untrusted.js';
import { block, type Paint, painted, type Tone, toned } from './paint.js';
import { reportText } from './report-text.js';

/** A check and the place of its manifest. */
export interface CheckedManifest {
  /** `-` for standard input. */
  readonly file: string;
  readonly line: number;
  readonly check: RolloutCheck;
}

export interface CheckReportOptions {
  readonly tell: Tell;
  readonly language: Language;
}

const longest = 4_000;

const tones: Readonly<Record<CheckOutcome, Tone>> = {
  deadlock: 'bad',
  stuck: 'bad',
  refused: 'bad',
  'cannot-tell': 'warn',
  completes: 'good',
  unchanged: 'good',
};

/** For a terminal: a line for each manifest, why below it. */
export function checkText(
  checked: readonly CheckedManifest[],
  { tell, language, paint }: CheckReportOptions & { readonly paint: Paint },
): string {
  const said = (statement: Statement): string => painted(paint, tell(statement, language));
  return checked
    .map(({ file, line, check }) =>
      [
        `${block(paint, '', toned(paint, tones[check.outcome], said(check.summary)))}`,
        toned(
          paint,
          'faint',
          `${untrusted(placeOf(file, line, language), longest)}  ${check.outcome}${check.confidence === undefined ? '' : ` (${check.confidence})`}`,
        ),
        ...check.reasoning.map((each) => block(paint, '  - ', said(each))),
      ].join('\n'),
    )
    .join('\n\n')
    .concat('\n');
}

/** For a pull request's comment. */
export function checkMarkdown(
  checked: readonly CheckedManifest[],
  { tell, language }: CheckReportOptions,
): string {
  return checked
    .map(({ file, line, check }) =>
      [
        `## ${markdown(tell(check.summary, language))}`,
        '',
        `${codeSpan(untrusted(placeOf(file, line, language), longest))} · ${[check.outcome, ...(check.confidence === undefined ? [] : [check.confidence])].join(' · ')}`,
        ...(check.reasoning.length === 0 ? [] : ['']),
        ...check.reasoning.map((each) => `- ${markdown(tell(each, language))}`),
      ].join('\n'),
    )
    .join('\n\n')
    .concat('\n');
}

/** In the stable, versioned shape that scripts read. */
export function checkJson(
  checked: readonly CheckedManifest[],
  {
    tell,
    language,
    takenAt,
    cluster,
  }: CheckReportOptions & { readonly takenAt: string; readonly cluster: string },
) {
  const said = (statement: Statement): string => untrusted(plain(tell(statement, language)), longest);
  return {
    apiVersion: 'rollout-doctor/v1',
    kind: 'RolloutCheckList',
    takenAt,
    cluster,
    items: checked.map(({ file, line, check }) => {
      const { workload, outcome, confidence, resource, nodes, holders, message, downtime, wayOut } = check;
      return {
        file,
        line,
        workload,
        outcome,
        ...(confidence === undefined ? {} : { confidence }),
        summary: said(check.summary),
        reasoning: check.reasoning.map(said),
        ...(resource === undefined ? {} : { resource }),
        nodes,
        holders,
        ...(message === undefined ? {} : { message: untrusted(message, longest) }),
        ...(downtime === undefined ? {} : { downtime }),
        ...(wayOut === undefined
          ? {}
          : {
              wayOut: { strategy: wayOut.strategy, downtime: wayOut.downtime, summary: said(wayOut.summary) },
            }),
      };
    }),
  };
}

const commands: Readonly<Record<CheckOutcome, 'error' | 'warning' | 'notice'>> = {
  deadlock: 'error',
  stuck: 'error',
  refused: 'error',
  'cannot-tell': 'warning',
  completes: 'notice',
  unchanged: 'notice',
};

/**
 * Workflow commands that GitHub Actions turns into annotations of the changed lines
 * (docs.github.com/actions/reference/workflow-commands-for-github-actions).
 */
export function checkGitHub(
  checked: readonly CheckedManifest[],
  { tell, language }: CheckReportOptions,
): string {
  const said = (statement: Statement): string => untrusted(plain(tell(statement, language)), longest);
  return checked
    .map(({ file, line, check }) => {
      const place = file === '-' ? [] : [`file=${property(file)}`, `line=${line}`];
      const properties = [...place, `title=${property(said(check.summary))}`].join(',');
      const message = [said(check.summary), ...check.reasoning.map(said)].join('\n');
      return `::${commands[check.outcome]} ${properties}::${data(message)}\n`;
    })
    .join('');
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** A runner decodes nothing but these; any other control character would reach people who read the log in a terminal. */
function property(text: string): string {
  return data(text)
    .replace(/\p{Cc}/gu, '')
    .replaceAll(':', '%3A')
    .replaceAll(',', '%2C');
}

/** SARIF 2.1.0 (OASIS), as code scanning services take it. */
export function checkSarif(checked: readonly CheckedManifest[], { tell, language }: CheckReportOptions) {
  const said = (statement: Statement): string => untrusted(plain(tell(statement, language)), longest);
  const levels = { error: 'error', warning: 'warning', notice: 'note' } as const;
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'rollout-doctor',
            rules: Object.keys(commands).map((id) => ({ id: `rollout-${id}` })),
          },
        },
        results: checked.map(({ file, line, check }) => ({
          ruleId: `rollout-${check.outcome}`,
          level: levels[commands[check.outcome]],
          message: { text: [said(check.summary), ...check.reasoning.map(said)].join('\n') },
          locations:
            file === '-'
              ? []
              : [
                  {
                    physicalLocation: {
                      artifactLocation: { uri: file.replaceAll('\\', '/') },
                      region: { startLine: line },
                    },
                  },
                ],
        })),
      },
    ],
  };
}

function placeOf(file: string, line: number, language: Language): string {
  return `${file === '-' ? plain(reportText[language]['standard-input']({})) : file}:${line}`;
}
