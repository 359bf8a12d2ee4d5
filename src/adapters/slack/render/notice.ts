import type { Prose } from '../../../core/language/prose.js';
import { paragraph } from './blocks.js';
import { fitted, type Message } from './message.js';
import { toNotification } from './prose.js';

/** A few sentences for one person. */
export function renderNotice(...sentences: readonly Prose[]): Message {
  const said = sentences.filter((sentence) => sentence.length > 0);
  return fitted((size) => ({
    text: said.map(toNotification).join(' '),
    blocks: said.map((sentence) => paragraph(sentence, size)),
  }));
}
