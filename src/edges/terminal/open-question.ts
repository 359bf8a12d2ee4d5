import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import { openQuestionOf } from '../../doctor/findings/main-finding.js';
import type { Language } from '../../engine/language/language.js';
import type { Prose } from '../../engine/language/prose.js';
import { reportText } from './report-text.js';

/** What is open, in one sentence; `undefined` where a finding answers, or nothing is open. */
export function openSentence(diagnosis: Diagnosis, language: Language): Prose | undefined {
  const words = reportText[language];
  const { workload, ready } = diagnosis;
  const named = { workload: `${workload.namespace}/${workload.name}` };
  const open = openQuestionOf(diagnosis);
  switch (open?.kind) {
    case undefined:
      return undefined;
    case 'unchecked':
      return words.unchecked(named);
    case 'unexplained':
      return words.unexplained({ ...named, ...ready });
    case 'in-part':
    case 'unread': {
      const causes = new Set(open.unread.flatMap(({ weakens }) => weakens));
      const kinds = [...new Set(open.unread.map(({ what }) => what))];
      return words[open.kind]({ ...named, ...ready, kinds, causes: causes.size });
    }
  }
}
