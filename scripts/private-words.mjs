/**
 * Words that this project once had for things which have a name in the field, and that name. Comments and declared names
 * are checked here; sentences of cards are checked by `test/unit/plain-english.ts`.
 *
 * @type {readonly (readonly [word: RegExp, instead: string])[]}
 */
export const privateWords = [
  [/(?<!rollout[ -])(?<!doctor )\bdoctors?\b(?! (?:command|error|options))/giu, 'engine'],
  [/\boracles?\b/giu, 'simulator'],
  [/\brosters?\b/giu, 'pod set'],
  [/\blook(?:s|ed|ing)?\b/giu, 'diagnosis run, read'],
  [/\bwithheld\b/giu, 'not recommended'],
  [/\bstandings?\b/giu, 'status line'],
  [/\bprices?\b/giu, 'impact'],
  [/\bsurvivals?\b/giu, 'drift'],
  [/\btop owners?\b/giu, 'parent resource'],
  [/\bresting\b/giu, 'stable'],
  [/\bcrowd(?:s|ed)?\b/giu, 'competing pods'],
  [/\btakers?\b/giu, 'competitor'],
  [/\bdoors?\b/giu, 'node group admission'],
  [/\bbearing\b/giu, 'effect'],
  [/\blasted\b/giu, 'duration'],
];

/** How many private words a line of prose has. */
export function privateWordsIn(prose) {
  return privateWords.reduce((count, [word]) => count + (prose.match(word)?.length ?? 0), 0);
}

/** Whether a name has private words, such as `podOracle`. */
export function privateWordsInName(name) {
  return privateWordsIn(wordsOf(name)) > 0;
}

function wordsOf(name) {
  return name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, ' ')
    .replaceAll('_', ' ')
    .toLowerCase();
}
