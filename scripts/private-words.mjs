/**
 * Words that this project once had for things which have a name in the field, and that name. Comments and declared names
 * are checked here; sentences of cards are checked by `test/unit/plain-english.ts`.
 *
 * @type {readonly { readonly word: RegExp, readonly instead: string, readonly namesOnly?: true }[]}
 */
export const privateWords = [
  {
    word: /(?<!rollout[ -])(?<!doctor )(?<!`)\bdoctors?\b(?! (?:command|error|output))/giu,
    instead: 'engine',
  },
  { word: /(?<!jdbc:)\boracles?\b(?!'s)/giu, instead: 'simulator' },
  { word: /\brosters?\b/giu, instead: 'pod set' },
  // The noun. As a verb, "the pod looks healthy" is plain English.
  {
    word: /\b(?:an?|the|this|one|two|each|every|fresh|first|next(?! looks)|last|latest|another|further|queue) looks?\b(?!-)/giu,
    instead: 'diagnosis',
  },
  { word: /\bwithheld\b/giu, instead: 'not recommended' },
  { word: /\bstandings?\b/giu, instead: 'status line' },
  { word: /\bprices?\b/giu, instead: 'impact' },
  { word: /\bsurvivals?\b/giu, instead: 'drift' },
  { word: /\btop owners?\b/giu, instead: 'parent resource' },
  { word: /\bresting\b/giu, instead: 'stable' },
  { word: /\bcrowds?\b/giu, instead: 'rank' },
  { word: /\btakers?\b/giu, instead: 'winner' },
  { word: /\bdoors?\b/giu, instead: 'admission' },
  { word: /\blasted\b/giu, instead: 'duration', namesOnly: true },
];

/**
 * Fields that stored records and the versioned JSON (`docs/public`) hold under a name that the project would not choose
 * again. Who reads one by destructuring repeats the name, and names nothing. A local, a parameter and any other declaration of
 * the same name count, as does a field of another type.
 */
export const contractFields = new Set(['price', 'survival', 'withheld']);

/** The type whose fields a schema of stored records repeats, so that the compiler reads both. */
export const contractTypes = new Set(['Offer']);

/** How many private words a line of a comment has. */
export function privateWordsIn(prose) {
  return countOf(
    privateWords.filter(({ namesOnly }) => namesOnly !== true),
    prose,
  );
}

/** Whether a name has private words, such as `podOracle`. */
export function privateWordsInName(name) {
  return countOf(privateWords, wordsOf(name)) > 0;
}

function countOf(words, text) {
  return words.reduce((count, { word }) => count + (text.match(word)?.length ?? 0), 0);
}

function wordsOf(name) {
  return name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, ' ')
    .replaceAll('_', ' ')
    .toLowerCase();
}
