import type { CheckOutcome, RolloutCheck } from '../../doctor/forecasts/rollout-check.js';
import { codeSpan, markdown } from '../../doctor/redaction/markdown.js';
import { untrusted } from '../../doctor/redaction/untrusted.js';
import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import { plain } from '../../engine/language/prose.js';
import type { Statement } from '../../engine/language/statement.js';
import { block, type Paint, painted, type Tone, toned } from './paint.js';
import { reportText } from './report-text.js';

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
          `${untrusted(placeOf(file, line, language), maxCheckText)}  ${check.outcome}${check.confidence === undefined ? '' : ` (${plain(reportText[language][check.confidence]())})`}`,
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
        `${codeSpan(untrusted(placeOf(file, line, language), maxCheckText))} · ${[check.outcome, ...(check.confidence === undefined ? [] : [plain(reportText[language][check.confidence]())])].join(' · ')}`,
        ...(check.reasoning.length === 0 ? [] : ['']),
        ...check.reasoning.map((each) => `- ${markdown(tell(each, language))}`),
      ].join('\n'),
    )
    .join('\n\n')
    .concat('\n');
}

/** A table of all checks, the first part of a job summary. */
export function checkSummary(
  checked: readonly CheckedManifest[],
  { tell, language }: CheckReportOptions,
): string {
  const rows = checked.map(({ file, line, check }) => {
    const cells = [
      codeSpan(untrusted(placeOf(file, line, language), maxCheckText)),
      check.outcome,
      markdown(tell(check.summary, language)),
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return ['| | | |', '| --- | --- | --- |', ...rows, ''].join('\n');
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
  const said = checkSentence({ tell, language });
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
        ...(message === undefined ? {} : { message: untrusted(message, maxCheckText) }),
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

/**
 * Workflow commands that GitHub Actions turns into annotations of the changed lines
 * (docs.github.com/actions/reference/workflow-commands-for-github-actions).
 */
export function checkGitHub(
  checked: readonly CheckedManifest[],
  { tell, language }: CheckReportOptions,
): string {
  const said = checkSentence({ tell, language });
  return checked
    .map(({ file, line, check }) => {
      const place = file === '-' ? [] : [`file=${property(file)}`, `line=${line}`];
      const properties = [...place, `title=${property(said(check.summary))}`].join(',');
      const message = [said(check.summary), ...check.reasoning.map(said)].join('\n');
      return `::${outcomeLevels[check.outcome]} ${properties}::${workflowText(message)}\n`;
    })
    .join('');
}

/**
 * A runner decodes nothing but these; any other control character would reach people who read the log in a
 * terminal.
 */
function property(text: string): string {
  return workflowText(text)
    .replace(/\p{Cc}/gu, '')
    .replaceAll(':', '%3A')
    .replaceAll(',', '%2C');
}

function placeOf(file: string, line: number, language: Language): string {
  return `${file === '-' ? plain(reportText[language]['standard-input']()) : file}:${line}`;
}

/** A check and the place of its manifest. */
export interface CheckedManifest {
  /** `-` for standard input. */
  readonly file: string;
  readonly line: number;
  readonly check: RolloutCheck;
}

/** How the answers of a check are written. */
export type CheckReportOptions = { readonly tell: Tell; readonly language: Language };

/** Characters of one text in a report. */
export const maxCheckText = 4_000;

/** A statement as one bounded, redacted text. */
export function checkSentence({ tell, language }: CheckReportOptions): (statement: Statement) => string {
  return (statement) => untrusted(plain(tell(statement, language)), maxCheckText);
}

/** How serious an outcome is, in the words of annotations. */
export const outcomeLevels: Readonly<Record<CheckOutcome, 'error' | 'warning' | 'notice'>> = {
  deadlock: 'error',
  stuck: 'error',
  refused: 'error',
  'cannot-tell': 'warning',
  completes: 'notice',
  unchanged: 'notice',
};

/** A text as the data of a workflow command of GitHub Actions. */
export function workflowText(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
