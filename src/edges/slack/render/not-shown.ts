import type { Language } from '../../../engine/language/language.js';
import { cardText } from './card-text.js';
import type { Message } from './message.js';
import { renderNotice } from './notice.js';

/** Takes the place of a card or picture whose readers may not see its workload any more; names nothing. */
export function renderNotShown(language: Language): Message {
  return renderNotice(cardText[language]['not-shown']({}));
}
