import type { Language } from '../../../engine/language/language.js';
import { type Prose, plain } from '../../../engine/language/prose.js';
import { paragraph, steps } from './blocks.js';
import { cardText } from './card-text.js';
import { fitted, type Message, spoken } from './message.js';

/**
 * A scheduler message in plain words: the conclusion first, then the message, then one point for each reason
 * in it.
 */
export function renderExplanation(
  [message = [], conclusion = [], ...reasons]: readonly Prose[],
  language: Language,
): Message {
  const more = (count: number) => cardText[language].more({ count });
  const isRepeated = reasons.length === 0 && plain(conclusion).includes(plain(message));
  const quoted = isRepeated ? [] : [message];
  return fitted((size) => ({
    text: spoken([conclusion, ...quoted, ...reasons]),
    blocks: [
      paragraph(conclusion, size, { bold: true }),
      ...quoted.map((each) => paragraph(each, size)),
      ...steps(reasons, size, more, 'bullet'),
    ],
  }));
}
