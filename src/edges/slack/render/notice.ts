import type { Prose } from '../../../engine/language/prose.js';
import { paragraph } from './blocks.js';
import { fitted, type Message, spoken } from './message.js';

/** A few sentences for one person. */
export function renderNotice(...sentences: readonly Prose[]): Message {
  const said = sentences.filter((sentence) => sentence.length > 0);
  return fitted((size) => ({
    text: spoken(said),
    blocks: said.map((sentence) => paragraph(sentence, size)),
  }));
}
