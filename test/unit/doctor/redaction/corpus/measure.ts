import { readFileSync } from 'node:fs';

/** The texts of a part of the corpus, by their source. */
export type Texts = Readonly<Record<string, readonly string[]>>;

export interface Measured {
  /** Marked stretches of all texts. */
  readonly secrets: number;
  /** Each text with a secret, and what became of it. */
  readonly results: readonly { readonly text: string; readonly result: string }[];
  /** Secrets of which a word remained, with the redacted text. */
  readonly survivors: readonly { readonly place: string; readonly secret: string; readonly result: string }[];
  readonly harmless: number;
  /** Harmless texts that were changed. */
  readonly alarms: readonly { readonly place: string; readonly text: string; readonly result: string }[];
}

/** What is known to be left of a part's secrets, and to change of its harmless texts. */
export interface Known {
  readonly survivors: readonly string[];
  readonly alarms: readonly string[];
}

const marked = /‹\??([^›]*)›/gu;
const heading = /^§ ([^:]+): (.+)$/u;

/**
 * The texts of all parts, by the name of the part. `§ part: source` stands before the texts of each source, and a text
 * has one line: `⏎`, `⇥` and `␀` stand for a line end, a tab and a zero byte, and `¦` for nothing. It splits values, so
 * that no file holds a complete one.
 */
export function readTexts(file: 'secrets.txt' | 'harmless.txt'): ReadonlyMap<string, Texts> {
  const parts = new Map<string, Record<string, string[]>>();
  let texts: string[] = [];
  for (const line of readFileSync(new URL(file, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')) {
    const [, part, source] = heading.exec(line) ?? [];
    if (part === undefined || source === undefined) texts.push(joined(line));
    else {
      texts = [];
      parts.set(part, { ...parts.get(part), [source]: texts });
    }
  }
  return parts;
}

function joined(line: string): string {
  return line.replaceAll('¦', '').replaceAll('⏎', '\n').replaceAll('⇥', '\t').replaceAll('␀', '\0');
}

/** `‹?` marks a secret that is known to be left, and `? ` a harmless text that is known to change. */
export function knownOf(secrets: Texts, harmless: Texts): Known {
  return {
    survivors: entriesOf(secrets).flatMap(([, text]) =>
      [...text.matchAll(/‹\?([^›]*)›/gu)].map((found) => found[1] ?? ''),
    ),
    alarms: entriesOf(harmless).flatMap(([, text]) => (text.startsWith('? ') ? [text.slice(2)] : [])),
  };
}

/** What `redact` leaves of the stretches between ‹ and ›, and what it changes in texts that must stay. */
export function measure(redact: (text: string) => string, secrets: Texts, harmless: Texts): Measured {
  const texts = entriesOf(secrets).map(([place, withMarks]) => {
    const text = withMarks.replace(marked, '$1');
    const stretches = [...withMarks.matchAll(marked)].map((found) => found[1] ?? '');
    return { place, stretches, text, result: redact(text) };
  });
  const kept = entriesOf(harmless).map(([place, text]) => ({ place, text: text.replace(/^\? /u, '') }));
  return {
    secrets: texts.reduce((sum, { stretches }) => sum + stretches.length, 0),
    survivors: texts.flatMap(({ place, stretches, result }) =>
      stretches.filter((each) => isLeft(each, result)).map((secret) => ({ place, secret, result })),
    ),
    results: texts,
    harmless: kept.length,
    alarms: kept
      .map(({ place, text }) => ({ place, text, result: redact(text) }))
      .filter(({ text, result }) => text !== result),
  };
}

/** One word of four characters or more that is left counts as the whole secret. */
function isLeft(secret: string, result: string): boolean {
  const words = secret.split(/\s+|\\n/u).filter((word) => word.length >= 4);
  return (words.length === 0 ? [secret] : words).some((word) => result.includes(word));
}

function entriesOf(texts: Texts): readonly (readonly [string, string])[] {
  return Object.entries(texts).flatMap(([place, all]) => all.map((text) => [place, text] as const));
}
