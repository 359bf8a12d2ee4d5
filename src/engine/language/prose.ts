/**
 * A piece of a sentence. `text` is ours, from a catalogue. Everything from outside (names, messages, log
 * lines) is `code` or `quote` and is shown literally; each surface escapes it in its own one place.
 */
export type Span =
  /** `atLeast`: in place of the text where it is only a lower bound. */
  | { readonly kind: 'text'; readonly text: string; readonly atLeast?: string }
  | { readonly kind: 'strong'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly text: string }
  | {
      readonly kind: 'time';
      readonly at: string;
      /** To the second, as an audit needs it. */
      readonly exact?: true;
    }
  | { readonly kind: 'person'; readonly id: string }
  | { readonly kind: 'group'; readonly id: string; readonly name: string };

/** A sentence or a few, free of markup of any surface. */
export type Prose = readonly Span[];

/** What may stand in a `say` template. Bare strings may not: they hide whether the text is ours. */
export type Sayable = Span | Prose | number | bigint;

/**
 * Builds Prose from a template: the literal parts are ours, every value says what it is.
 *
 * @example say`The new pod ${code(pod)} needs ${count} ${code(resource)}.`
 */
export function say(strings: TemplateStringsArray, ...values: readonly Sayable[]): Prose {
  const spans: Span[] = [];
  strings.forEach((text, position) => {
    const before = spans.at(-1);
    if (before !== undefined && text.startsWith('.')) spans[spans.length - 1] = withoutFullStop(before);
    if (text !== '') spans.push({ kind: 'text', text });
    const value = values[position];
    if (value === undefined) return;
    if (typeof value === 'number' || typeof value === 'bigint') {
      spans.push({ kind: 'text', text: String(value) });
    } else if (isProse(value)) {
      spans.push(...value);
    } else {
      spans.push(value);
    }
  });
  return spans;
}

/** Of a quoted sentence: the full stop behind it ends both. An ellipsis stays. */
function withoutFullStop(span: Span): Span {
  if (span.kind !== 'quote') return span;
  const text = span.text.trimEnd();
  return text.endsWith('.') && !text.endsWith('..') ? { ...span, text: text.slice(0, -1) } : span;
}

/** A name or value from the cluster, shown literally. */
export function code(text: string): Span {
  return { kind: 'code', text };
}

/** A message somebody else wrote, shown literally and recognisably as theirs. */
export function quote(text: string): Span {
  return { kind: 'quote', text };
}

/** Our own words with weight. */
export function strong(text: string): Span {
  return { kind: 'strong', text };
}

/** Our own words, chosen by code (a plural, a unit). Never pass text from outside. */
export function word(text: string): Span {
  return { kind: 'text', text };
}

/** A moment (RFC3339), shown in the reader's time zone where the surface can. */
export function moment(at: string): Span {
  return { kind: 'time', at };
}

/** A moment to the second. */
export function exactMoment(at: string): Span {
  return { kind: 'time', at, exact: true };
}

/** A user group of the chat, by the chat's id; surfaces without it show the name. */
export function group(id: string, name: string): Span {
  return { kind: 'group', id, name };
}

/** A person of the chat, by the chat's id. */
export function person(id: string): Span {
  return { kind: 'person', id };
}

/** Several values as `a, b and c`, the rest beyond `max` as a count. */
export function listed(
  items: readonly Sayable[],
  words: { readonly and: string; readonly more: string },
  max = 5,
): Prose {
  const shown = items.slice(0, max);
  const hidden = items.length - shown.length;
  return shown.flatMap((item, position): Prose => {
    const last = position === shown.length - 1 && hidden === 0;
    const separator = position === 0 ? '' : last ? words.and : ', ';
    const tail =
      position === shown.length - 1 && hidden > 0
        ? say` ${word(words.more.replace('#', String(hidden)))}`
        : [];
    return [...(separator === '' ? [] : [word(separator)]), ...say`${item}`, ...tail];
  });
}

/** Parts one after the other with a space between. */
export function sentences(...parts: readonly Prose[]): Prose {
  return parts
    .filter((part) => part.length > 0)
    .flatMap((part, position) => (position === 0 ? part : [word(' '), ...part]));
}

/** The prose as plain text: code and quotes without marks, times as RFC3339, people by id. */
export function plain(prose: Prose): string {
  return prose.map(plainSpan).join('');
}

function plainSpan(span: Span): string {
  switch (span.kind) {
    case 'time':
      return span.at;
    case 'person':
      return `@${span.id}`;
    case 'group':
      return `@${span.name}`;
    default:
      return span.text;
  }
}

function isProse(value: Span | Prose): value is Prose {
  return Array.isArray(value);
}
