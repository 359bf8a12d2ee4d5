import type { Prose } from './prose.js';

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
export function proseWithoutNames(prose: Prose, hidden: readonly string[]): Prose {
  const names = new Set(hidden);
  return prose.map((span) =>
    span.kind === 'code' || span.kind === 'quote' ? { ...span, text: withoutNames(span.text, names) } : span,
  );
}
