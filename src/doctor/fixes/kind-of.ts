import type { Language } from '../../engine/language/language.js';
import { type Prose, word } from '../../engine/language/prose.js';
import type { Kind } from './kind.js';
import { kinds } from './kinds/kinds.js';
import type { OfferedRemediation } from './offered-fields.js';

/** The kind of this name; `undefined` for one of another version. */
export function kindOf({ kind: name }: Pick<OfferedRemediation, 'kind'>): Kind | undefined {
  return (kinds as unknown as readonly Kind[]).find(({ kind }) => kind === name);
}

/** What the kind is called; its id for one of another version. */
export function kindName(kind: string, language: Language): Prose {
  return kindOf({ kind })?.text[language].name() ?? [word(kind)];
}
