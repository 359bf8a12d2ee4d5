import { isRandomLike } from './entropy.js';
import { isHarmlessValue, isPasswordLike } from './harmless-values.js';
import { secretKindOf } from './secret-names.js';
import type { Span } from './span.js';
import { endAt, matchAt, scan } from './span.js';
import { readValue } from './values-in-text.js';

const longestHeading = 80;

/** A secret that stands alone in a line below its heading: `Generated root password`, perhaps a rule, `x`. */
export function headings(text: string): readonly Span[] {
  const spans: Span[] = [];
  let heading: string | undefined;
  let at = 0;
  for (const line of text.split('\n')) {
    const word = line.trim();
    const kind = heading === undefined ? undefined : secretKindOf(heading);
    if (kind !== undefined && isSecret(word)) {
      const start = at + line.indexOf(word);
      spans.push({ start, end: start + word.length, kind });
    }
    if (word !== '' && !isRule(word)) heading = isHeading(word) ? word.split(' ').at(-1) : undefined;
    at += line.length + 1;
  }
  return spans;
}

function isSecret(word: string): boolean {
  return !/\s/u.test(word) && (isPasswordLike(word) || isRandomLike(word));
}

function isRule(line: string): boolean {
  return /^[-=~_]{3,}$/u.test(line);
}

/** Letters only, few words. */
function isHeading(line: string): boolean {
  return line.length <= longestHeading && /^\p{L}[\p{L} ]*:?$/u.test(line);
}

/**
 * A variable that a shell or an interpreter read, and its value, alone on the next line:
 * `System.get_env("APP_SECRET")` and `"x"`, `printenv APP_SECRET` and `x`.
 */
export function readVariables(text: string): readonly Span[] {
  return scan(text, reader, ({ 0: command, index }) => {
    const from = index + command.length;
    const [all = '', name = ''] = matchAt(text, from, maxName, nameAndBreak) ?? [];
    const kind = secretKindOf(name);
    if (kind === undefined) return undefined;
    const at = endAt(text, from + all.length, 4, /^=> ?/u);
    const { start, end, quoted, next } = readValue(text, at);
    const content = text.slice(start, end);
    const isAlone = next >= text.length || text[next] === '\n';
    const isSecret = quoted || isPasswordLike(content) || isRandomLike(content);
    return isAlone && isSecret && content !== '' && !isHarmlessValue(content)
      ? { spans: [{ start, end, kind }], next }
      : undefined;
  });
}

const reader =
  /(?<![\w-])(?:printenv |echo "?\$\{?|(?:get_?env|fetch_env|environ(?:\.get)?|ENV(?:\.fetch)?)!?[([]["']|process\.env\.)/giu;
const maxName = 120;
/** The name, what closes the call, and the line break. */
const nameAndBreak = /^([A-Za-z_]\w{1,99})["'}]{0,2}[)\]]?\r?\n/u;
