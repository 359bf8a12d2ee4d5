import type { Language } from '../../../engine/language/language.js';
import { code, type Prose, say, word } from '../../../engine/language/prose.js';
import { withChangedValues } from '../../../engine/language/statement.js';
import type { Confidence } from '../cause-id.js';
import type { Finding } from '../finding.js';

/**
 * What a headline or a status line knows of how certain its finding is; absent where the finding is proven.
 */
export interface Certainty {
  readonly confidence?: Confidence | undefined;
}

/** A finding of a wait cycle whose sentences state how certain it is, after everything that weakened it. */
export function withCertainty(finding: Finding): Finding {
  const { confidence, waitCycle, summary, standing: statusLine } = finding;
  if (waitCycle === undefined || confidence === 'proven') return finding;
  const certain = (values: object) => ({ ...values, confidence });
  return {
    ...finding,
    summary: withChangedValues(summary, certain),
    ...(statusLine === undefined ? {} : { standing: withChangedValues(statusLine, certain) }),
  };
}

const verdicts: { readonly [Each in Language]: Readonly<Record<Confidence, string>> } = {
  en: { proven: 'is deadlocked', likely: 'is probably deadlocked', possible: 'may be deadlocked' },
  ko: { proven: '롤아웃 교착 상태', likely: '롤아웃 교착 상태 추정', possible: '롤아웃 교착 가능성' },
};

/** The workload and the verdict that begin the headline of a deadlock. */
export function deadlocked(
  language: Language,
  { workload, confidence = 'proven' }: Certainty & { readonly workload: string },
): Prose {
  return say`${code(workload)} ${word(verdicts[language][confidence])}`;
}
