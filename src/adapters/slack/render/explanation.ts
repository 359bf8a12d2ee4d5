import type { Language } from '../../../core/language/language.js';
import type { Prose } from '../../../core/language/prose.js';
import { paragraph, steps } from './blocks.js';
import { cardText } from './card-text.js';
import { fitted, type Message, spoken } from './message.js';

/** A scheduler message in plain words: the conclusion first, then the message, then one point for each reason in it. */
export function renderExplanation(
  [message = [], conclusion = [], ...reasons]: readonly Prose[],
  language: Language,
): Message {
  const more = (count: number) => cardText[language].more({ count });
  return fitted((size) => ({
    text: spoken([conclusion, message, ...reasons]),
    blocks: [
      paragraph(conclusion, size, { bold: true }),
      paragraph(message, size),
      ...steps(reasons, size, more, 'bullet'),
    ],
  }));
}
