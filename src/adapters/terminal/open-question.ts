import type { Diagnosis } from '../../core/diagnosis/diagnosis.js';
import { openQuestionOf } from '../../core/diagnosis/main-finding.js';
import type { Language } from '../../core/language/language.js';
import type { Prose } from '../../core/language/prose.js';
import { reportText } from './report-text.js';

/** One missing kind, and the command whose output adds it to the recording; absent for what no command adds. */
export interface Missing {
  readonly what: string;
  readonly because: string;
  readonly causes: readonly string[];
  readonly command?: string;
}

/** Kinds whose absence leaves the question open whether the workload has a problem. */
export function missingIn(diagnosis: Diagnosis): readonly Missing[] {
  const open = openQuestionOf(diagnosis);
  return open?.kind !== 'unread'
    ? []
    : open.unread.map(({ what, because, weakens }) => {
        const command = commandFor(what, because, diagnosis.workload);
        return { what, because, causes: weakens, ...(command === undefined ? {} : { command }) };
      });
}

/** kubectl finds a kind by its name in the singular, and ignores the namespace of a kind that has none. */
function commandFor(what: string, because: string, { namespace }: Diagnosis['workload']): string | undefined {
  if (because === 'malformed') return undefined;
  if (what === 'ServerVersion') return 'kubectl version -o yaml';
  if (what === 'PodLog') return undefined;
  const kind = what.toLowerCase();
  return because === 'forbidden' || because === 'unauthorized'
    ? `kubectl auth can-i list ${kind} -n ${namespace}`
    : `kubectl get ${kind} -n ${namespace} -o yaml`;
}

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
    case 'unread': {
      const causes = new Set(open.unread.flatMap(({ weakens }) => weakens));
      const kinds = [...new Set(open.unread.map(({ what }) => what))];
      return words.unread({ ...named, ...ready, kinds, causes: causes.size });
    }
  }
}
