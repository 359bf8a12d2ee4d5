/** Texts by their source. */
export type Texts = Readonly<Record<string, readonly string[]>>;

export interface Measured {
  /** Marked stretches of all texts. */
  readonly secrets: number;
  /** Secrets of which a word remained, with the redacted text. */
  readonly survivors: readonly { readonly place: string; readonly secret: string; readonly result: string }[];
  readonly harmless: number;
  /** Harmless texts that were changed. */
  readonly alarms: readonly { readonly place: string; readonly text: string; readonly result: string }[];
}

const marked = /‹([^›]*)›/gu;

/** What `redact` leaves of the stretches between ‹ and ›, and what it changes in texts that must stay. */
export function measure(redact: (text: string) => string, secrets: Texts, harmless: Texts): Measured {
  const texts = entriesOf(secrets).map(([place, text]) => ({
    place,
    stretches: [...text.matchAll(marked)].map((found) => found[1] ?? ''),
    result: redact(text.replace(marked, '$1')),
  }));
  return {
    secrets: texts.reduce((sum, { stretches }) => sum + stretches.length, 0),
    survivors: texts.flatMap(({ place, stretches, result }) =>
      stretches.filter((each) => isLeft(each, result)).map((secret) => ({ place, secret, result })),
    ),
    harmless: entriesOf(harmless).length,
    alarms: entriesOf(harmless)
      .map(([place, text]) => ({ place, text, result: redact(text) }))
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
