import { cardText } from '#src/edges/slack/render/card-text.js';
import { plain } from '#src/engine/language/prose.js';
import { createTell } from '#src/service/create-engine.js';

/**
 * Words that tests wait for, as the catalogues have them in English: another title changes goldens and no
 * test.
 */
const workload = 'shop/web';
const tell = createTell();
const inEnglish = (catalogue: string, key: string, values: object = {}): string =>
  plain(tell({ catalogue, key, values: { ...values } }, 'en'));

/** What the sentence says of its workload, up to a colon. */
function predicateOf(sentence: string): string {
  const [, found] = /^shop\/web ([^:]+)/u.exec(sentence) ?? [];
  if (found === undefined) throw new Error(`the sentence does not begin with its workload: ${sentence}`);
  return found;
}

export const isDeadlocked = predicateOf(
  inEnglish('surge-deadlock', 'summary', { workload, resource: 'cpu' }),
);
export const hasRecovered = predicateOf(plain(cardText.en.recovered({ workload })));
export const stopFirst = inEnglish('patch-strategy', 'title-in-place');
/** What the button that opens the review of a fix is about. */
export const reviewOf = (name: string, title = stopFirst): string => `${name}, ${title}`;
