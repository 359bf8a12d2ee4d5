import type { CheckOutcome, RolloutCheck } from '../../doctor/forecasts/rollout-check.js';
import { untrusted } from '../../doctor/redaction/untrusted.js';
import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import { plain } from '../../engine/language/prose.js';
import type { Statement } from '../../engine/language/statement.js';

/** A check and the place of its manifest. */
export interface CheckedManifest {
  /** `-` for standard input. */
  readonly file: string;
  readonly line: number;
  readonly check: RolloutCheck;
}

/** How the answers of a check are written. */
export interface CheckReportOptions {
  readonly tell: Tell;
  readonly language: Language;
}

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
