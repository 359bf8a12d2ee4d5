import { looksRandom } from './entropy.js';
import type { SecretKind, Span } from './span.js';

/** A run of characters that looks random beside a word like `token` or `api key`, in a sentence or a log line. */
export function randomBesideWords(text: string): readonly Span[] {
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
