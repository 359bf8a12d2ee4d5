import { type Prose, strong, word } from '../../../engine/language/prose.js';

/** Our own words in bold; names keep their own mark. */
export function emphasised(prose: Prose): Prose {
  return prose.flatMap((span) =>
    span.kind === 'text' && span.text.trim() !== '' ? bold(span.text) : [span],
  );
}

function bold(text: string): Prose {
  const inner = text.trim();
  const start = text.length - text.trimStart().length;
  const before = text.slice(0, start);
  const after = text.slice(start + inner.length);
  return [...(before === '' ? [] : [word(before)]), strong(inner), ...(after === '' ? [] : [word(after)])];
}

/**
 * A fragment as the start of a sentence: our own first word in capitals, names as they are. Korean has no
 * capitals.
 */
export function capitalised([first, ...rest]: Prose): Prose {
  if (first === undefined) return [];
  if (first.kind !== 'text' && first.kind !== 'strong') return [first, ...rest];
  return [{ ...first, text: first.text.slice(0, 1).toUpperCase() + first.text.slice(1) }, ...rest];
}

/** The parts that are not empty, with the separator between them. */
export function separated(parts: readonly Prose[], separator: string): Prose {
  return parts
    .filter((part) => part.length > 0)
    .flatMap((part, position) => (position === 0 ? part : [word(separator), ...part]));
}
