import { type Prose, strong, word } from '../../../core/language/prose.js';

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

/** The parts that are not empty, with the separator between them. */
export function separated(parts: readonly Prose[], separator: string): Prose {
  return parts
    .filter((part) => part.length > 0)
    .flatMap((part, position) => (position === 0 ? part : [word(separator), ...part]));
}
