import { looksRandom } from './entropy.js';
import { foreignPasswords } from './foreign-names.js';
import { isHarmlessValue, isPasswordLike } from './harmless-values.js';
import type { SecretKind, Span } from './span.js';

/**
 * A secret beside its name in a sentence: what looks random beside a word like `token` or `api key`, and what looks
 * like a password where the sentence says what the password is.
 */
export function besideWords(text: string): readonly Span[] {
  return [...randomRuns(text), ...saidPasswords(text), ...changedPasswords(text)];
}

function randomRuns(text: string): Span[] {
  const spans: Span[] = [];
  for (const found of text.matchAll(wordAndRun)) {
    const run = found[2] ?? '';
    if (!looksRandom(run) || run.startsWith('/')) continue;
    const start = found.index + found[0].length - run.length;
    spans.push({ start, end: start + run.length, kind: kindOf(found[1] ?? '') });
  }
  return spans;
}

const words =
  'password|passwd|passphrase|secret|token|api[ _-]?key|access[ _-]?key|secret[ _-]?key|key|credentials?|session|cookie|jwt';
const between = String.raw`(?: (?:is|was|of|with|value|id|using|for|used|=|:|was:|is:))?[\s:="'\x60(\[<]{1,4}`;
const wordAndRun = new RegExp(`(?<![A-Za-z0-9])(${words})s?${between}([A-Za-z0-9+/_~.=-]{16,4096})`, 'giu');

function kindOf(word: string): SecretKind {
  if (/^pass/iu.test(word)) return 'password';
  if (/key$/iu.test(word)) return 'key';
  if (/^(?:session|cookie)/iu.test(word)) return 'cookie';
  return /^(?:token|jwt)/iu.test(word) ? 'token' : 'secret';
}

const names = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'pass phrase',
  'mot de passe',
  'palabra de paso',
  ...foreignPasswords,
].join('|');
/** `is`, `was set to`, and what other languages say; Korean, Chinese and Japanese join it to the name. */
const verbs =
  'is|was|are|now|has|been|set to|changed to|reset to|updated to|to|as|with|ist|lautet|wurde|auf|es|est|sera|é|è|은|는|이|가|을|를|是|为|為|は|が';
const said = new RegExp(
  `(?<![\\p{L}\\p{N}_-])(?:\\p{Script=Hangul}{0,8})(?:${names})(?:은|는|이|가|을|를|是|为|為|は|が)?(?: \\([^()\\n]{1,40}\\)| (?:for|of|für|von|de|del|pour|para)(?: user| the)? [^\\s:=]{1,60})?(?:[ ]{1,2}|[ ]?(?=[:=])|(?<=[^\\p{ASCII}]))(?:(?:${verbs})[ :]{1,2}|[:=]{1,2} ?){0,4}(?:["'\`(«“「]([^"'\`)»”」\\n]{2,200})["'\`)»”」]|([^\\s"'\`(«“「]{6,256}))`,
  'giu',
);

function saidPasswords(text: string): Span[] {
  const spans: Span[] = [];
  for (const found of text.matchAll(said)) {
    const quoted = found[1];
    const whole = quoted ?? found[2] ?? '';
    const word = quoted ?? whole.replace(/[.,;:)!?。，]{1,3}$/u, '');
    if (!isPasswordLike(word) || isHarmlessValue(word) || /[=:]/u.test(word) || / /u.test(word)) continue;
    const start = found.index + found[0].lastIndexOf(whole);
    spans.push({ start, end: start + word.length, kind: 'password' });
  }
  return spans;
}

const changed = /(?<![\w-])(?:password|passwd|passphrase|pw) from (\S{1,256}) to (\S{1,256})/giu;

/** `changed the password from x to y`. */
function changedPasswords(text: string): Span[] {
  return [...text.matchAll(changed)].flatMap(({ 0: found, 1: before = '', 2: after = '', index }) => {
    const end = index + found.length;
    const words: readonly (readonly [number, string])[] = [
      [end - after.length - ' to '.length - before.length, before],
      [end - after.length, after],
    ];
    return words
      .filter(([, word]) => isPasswordLike(word) && !isHarmlessValue(word))
      .map(([start, word]): Span => ({ start, end: start + word.length, kind: 'password' }));
  });
}
