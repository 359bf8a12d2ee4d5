import type { Tell } from '../../core/language/catalogue.js';
import type { Language } from '../../core/language/language.js';
import type { Prose } from '../../core/language/prose.js';
import { quote } from '../../core/language/prose.js';
import { explainSchedulerText } from '../../core/placement/message/explain-scheduler-message.js';

/**
 * A scheduler's sentence in plain words, for the one who pasted it: the sentence itself, so that the answer can be
 * read alone, then one paragraph a statement. Asks nobody and keeps nothing.
 */
export function explainSentence(sentence: string, tell: Tell, language: Language): readonly Prose[] {
  const { statements } = explainSchedulerText(sentence);
  return [[quote(sentence)], ...statements.map((statement) => tell(statement, language))];
}
