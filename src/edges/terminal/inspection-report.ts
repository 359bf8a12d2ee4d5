import { untrusted } from '../../doctor/redaction/untrusted.js';
import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import { plain } from '../../engine/language/prose.js';
import { codeOf } from '../../engine/language/statement.js';
import type { Inspected } from '../../service/inspect/inspection.js';
import { block, type Paint, painted, type Tone, toned } from './paint.js';
import { reportText } from './report-text.js';

const marks: Readonly<Record<Inspected['state'], { readonly mark: string; readonly tone: Tone }>> = {
  works: { mark: 'ok     ', tone: 'good' },
  missing: { mark: 'missing', tone: 'bad' },
  note: { mark: 'note   ', tone: 'warn' },
  unknown: { mark: 'unknown', tone: 'warn' },
};

const products: Readonly<Record<Exclude<Inspected['part'], 'configuration'>, string>> = {
  redis: 'Redis',
  slack: 'Slack',
  kubernetes: 'Kubernetes',
};

function titleOf(part: Inspected['part'], language: Language): string {
  return part === 'configuration' ? plain(reportText[language].configuration()) : products[part];
}

/** What works and what is missing, part by part, for a terminal. */
export function inspectionText(
  all: readonly Inspected[],
  { tell, language, paint }: { tell: Tell; language: Language; paint: Paint },
): string {
  const parts = [...new Set(all.map(({ part }) => part))];
  return parts
    .map((part) =>
      [
        toned(paint, 'strong', titleOf(part, language)),
        ...all
          .filter((each) => each.part === part)
          .map(({ state, says }) => {
            const { mark, tone } = marks[state];
            const hang = ' '.repeat(mark.length + 4);
            const text = block(paint, hang, painted(paint, tell(says, language)));
            return `  ${toned(paint, tone, mark)}  ${text.slice(hang.length)}`;
          }),
      ].join('\n'),
    )
    .join('\n\n')
    .concat('\n');
}

/** The same for scripts. */
export function inspectionJson(
  all: readonly Inspected[],
  { tell, language }: { tell: Tell; language: Language },
) {
  return {
    apiVersion: 'rollout-doctor/v1',
    kind: 'Inspection',
    items: all.map(({ part, state, says }) => ({
      part,
      state,
      key: codeOf(says),
      says: untrusted(plain(tell(says, language)), 4_000),
    })),
  };
}
