import type { Language } from './language.js';
import type { Prose } from './prose.js';
import type { Statement } from './statement.js';
import { withLowerBounds } from './words.js';

/** A catalogue whose shapes are forgotten, for the registry that tells statements read back from JSON. */
export type AnyCatalogue = {
  readonly [Each in Language]: { readonly [key: string]: (values: never) => Prose };
};

/** A catalogue in which these sentences, which need no values, are present in every language. */
export type CatalogueWith<Keys extends string> = AnyCatalogue & {
  readonly [Each in Language]: { readonly [Key in Keys]: () => Prose };
};

/** Renders a statement in a language. */
export type Tell = (statement: Statement, language: Language) => Prose;

/** By the catalogue of the previous version: those that own some of its sentences now, under the same key. */
export type MovedSentences = { readonly [former: string]: readonly string[] };

/**
 * @param catalogues by the id that statements carry
 * @param moved where sentences of the previous version stand now
 * @returns a function that renders statements; one of an unknown catalogue or key (an older record) is
 *   rendered as its key, so that an upgrade never turns an old incident into an error
 */
export function tellFrom(
  catalogues: Readonly<Record<string, AnyCatalogue>>,
  moved: MovedSentences = {},
): Tell {
  return ({ catalogue, key, values, hiddenNames, atLeast }, language) => {
    const sentence = [catalogue, ...(moved[catalogue] ?? [])]
      .map((id) => sentenceAt(catalogues[id]?.[language], key))
      .find((found) => found !== undefined);
    if (sentence === undefined) return [{ kind: 'text', text: `${catalogue}: ${key}` }];
    const told = sentence(values as never);
    const prose = atLeast === undefined ? told : withLowerBounds(told);
    return hiddenNames === undefined ? prose : proseWithoutNames(prose, hiddenNames);
  };
}

/**
 * Only a sentence of its own: a key comes from a record and may be the name of something that all objects
 * have.
 */
function sentenceAt(
  sentences: AnyCatalogue['en'] | undefined,
  key: string,
): AnyCatalogue['en'][string] | undefined {
  return sentences !== undefined && Object.hasOwn(sentences, key) ? sentences[key] : undefined;
}

/** What stands for a name that the reader may not see; the same in every language, as names are. */
const hiddenName = '[hidden]';

/** Names as Kubernetes spells them, whole: a part of a longer name is not taken for it. */
const name = /[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?/g;

/** Every name that a text may hold: runs of its characters, and the parts of those between dots. */
export function namesIn(text: string): readonly string[] {
  return (text.match(name) ?? []).flatMap((each) =>
    each.includes('.') ? [each, ...each.split('.')] : [each],
  );
}

/** The text without these names. */
export function withoutNames(text: string, hidden: ReadonlySet<string>): string {
  return text.replace(name, (each) => {
    if (hidden.has(each)) return hiddenName;
    if (!each.includes('.')) return each;
    const parts = each.split('.');
    return parts.map((part) => (hidden.has(part) ? hiddenName : part)).join('.');
  });
}

/** Prose without these names. Our own words stay as they are: names are always `code` or `quote`. */
function proseWithoutNames(prose: Prose, hidden: readonly string[]): Prose {
  const names = new Set(hidden);
  return prose.map((span) =>
    span.kind === 'code' || span.kind === 'quote' ? { ...span, text: withoutNames(span.text, names) } : span,
  );
}
