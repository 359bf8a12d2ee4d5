import { groupBy } from '../../engine/collections/collections.js';
import type { Language } from '../../engine/language/language.js';
import { type Prose, say } from '../../engine/language/prose.js';
import { names } from '../../engine/language/words.js';
import type { ObjectRef } from '../../engine/objects/metadata.js';
import type { Evidence } from './finding.js';

/** One observed fact with its first example, and the other objects of which the same was observed. */
export interface AlikeEvidence extends Evidence {
  readonly others: readonly ObjectRef[];
}

/**
 * Evidence for people, in order: what says the same about the same field of several objects is listed once.
 * Values and times may differ, such as the name of the pod in an event; the first one is the example.
 */
export function alikeEvidence(evidence: readonly Evidence[]): readonly AlikeEvidence[] {
  const seen = new Set<string>();
  const alike = groupBy(evidence, ({ object, field, says, value, at }) => {
    const meaning = JSON.stringify([object.kind, object.namespace, field, says]);
    const own = JSON.stringify([meaning, object.name]);
    // A second value of one field of one object, such as a second event, is a fact of its own.
    const key = seen.has(own) ? JSON.stringify([own, value, at]) : meaning;
    seen.add(own);
    return key;
  });
  return [...alike.values()].map(([first, ...more]) => ({
    ...first,
    others: more.map(({ object }) => object),
  }));
}

const en = { others: ({ named }: { named: Prose }) => say` · the same for ${named}` };
const ko: typeof en = { others: ({ named }) => say` · 같은 내용: ${named}` };
const text = { en, ko };

/** The other objects, to be appended to the sentence about the first one; nothing where there are none. */
export function sameForOthers({ others }: Pick<AlikeEvidence, 'others'>, language: Language): Prose {
  if (others.length === 0) return [];
  const named = names(
    language,
    others.map(({ name }) => name),
    3,
  );
  return text[language].others({ named });
}
