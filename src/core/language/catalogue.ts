import { proseWithoutNames } from './hidden-names.js';
import type { Language } from './language.js';
import type { Prose } from './prose.js';
import type { Sentences, Statement, StatementShapes } from './statement.js';

/**
 * Every sentence of a set of statements, in every language. A missing language, key or value is a compile
 * error; so is a sentence for a statement that nobody makes.
 */
export type Catalogue<Shapes extends StatementShapes> = {
  readonly [Each in Language]: { readonly [Key in keyof Shapes]: (values: Shapes[Key]) => Prose };
};

/** The same sentences in another language: every key, with the same values. */
export type SameSentences<English extends Sentences> = {
  readonly [Key in keyof English]: (...values: Parameters<English[Key]>) => Prose;
};

/** A catalogue whose shapes are forgotten, for the registry that tells statements read back from JSON. */
export type AnyCatalogue = {
  readonly [Each in Language]: { readonly [key: string]: (values: never) => Prose };
};

/** Tells a statement in a language. */
export type Tell = (statement: Statement, language: Language) => Prose;

/**
 * @param catalogues by the id that statements carry
 * @param families catalogues that own sentences which stood in other catalogues before; records of that time find
 *   them here
 * @returns a function that tells statements; one of an unknown catalogue or key (an older record) is told by its key,
 *   so that an upgrade never turns an old incident into an error
 */
export function tellFrom(
  catalogues: Readonly<Record<string, AnyCatalogue>>,
  families: readonly AnyCatalogue[] = [],
): Tell {
  return ({ catalogue, key, values, hiddenNames }, language) => {
    const owner = [catalogues[catalogue], ...families].find(
      (each) => each !== undefined && Object.hasOwn(each[language], key),
    );
    const sentence = owner?.[language][key];
    if (sentence === undefined) return [{ kind: 'text', text: `${catalogue}: ${key}` }];
    const prose = sentence(values as never);
    return hiddenNames === undefined ? prose : proseWithoutNames(prose, hiddenNames);
  };
}
