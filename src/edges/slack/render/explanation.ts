import { knownMessages } from '../../../doctor/findings/messages/known-messages.js';
import { pageName } from '../../../doctor/findings/messages/text.js';
import { causePage, type Pages } from '../../../doctor/incidents/page-links.js';
import type { Language } from '../../../engine/language/language.js';
import { type Prose, plain } from '../../../engine/language/prose.js';
import { paragraph, steps } from './blocks.js';
import { cardText } from './card-text.js';
import { fitted, type Message, spoken } from './message.js';
import type { Links } from './prose.js';

/**
 * A scheduler message in plain words: the conclusion first, then the message, then one point for each reason
 * in it. Where the settings have an address for the pages of causes, each page that is named is a link.
 */
export function renderExplanation(
  [message = [], conclusion = [], ...reasons]: readonly Prose[],
  language: Language,
  pages: Pages,
): Message {
  const links = pageLinks(pages);
  const more = (count: number) => cardText[language].more({ count });
  const isRepeated = reasons.length === 0 && plain(conclusion).includes(plain(message));
  const quoted = isRepeated ? [] : [message];
  return fitted((size) => ({
    text: spoken([conclusion, ...quoted, ...reasons]),
    blocks: [
      // Bold sets it apart from the reasons. Where none follow, all would be bold.
      paragraph(conclusion, size, { bold: reasons.length > 0, links }),
      ...quoted.map((each) => paragraph(each, size)),
      ...steps(reasons, size, more, 'bullet', links),
    ],
  }));
}

function pageLinks(pages: Pages): Links {
  return new Map(
    knownMessages.flatMap(({ cause }) => {
      const url = causePage(pages, cause);
      return url === undefined ? [] : [[pageName(cause), url] as const];
    }),
  );
}
