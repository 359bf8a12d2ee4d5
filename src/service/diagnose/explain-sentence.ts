import { explainPasted } from '../../doctor/findings/messages/explain-pasted.js';
import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import type { Prose } from '../../engine/language/prose.js';
import { quote } from '../../engine/language/prose.js';

/**
 * What was pasted in plain words, for the one who pasted it: the sentence itself, so that the answer can be
 * read alone, then one paragraph a statement. Asks nobody and keeps nothing.
 */
export function explainSentence(sentence: string, tell: Tell, language: Language): readonly Prose[] {
  return [[quote(sentence)], ...explainPasted(sentence).map((statement) => tell(statement, language))];
}
