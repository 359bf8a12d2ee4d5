/**
 * A field of `kubectl describe`: what stands behind its colon, and the lines below it up to the next field.
 */
export interface Field {
  readonly value: string;
  readonly lines: readonly string[];
  /** Spaces before its key. */
  readonly indent: number;
}

/** Fields of one level, in their order. */
export type Fields = ReadonlyMap<string, Field>;

/** Stands behind all other fields of an object. */
const lastKey = 'Events';

const keyed = /^( {0,200})([A-Za-z][^:]{0,60}):(?=\s|$)/u;

/**
 * Reads the fields of one level. A line begins a field only where its key is known, was not there before and
 * stands at the indent of the first field: messages of programs are printed as they are, so a line of theirs
 * may look like anything.
 */
export function fieldsOf(lines: readonly string[], isKnown: (key: string) => boolean): Fields {
  const fields = new Map<string, Field>();
  let indent: number | undefined;
  let open: { value: string; lines: string[]; indent: number } | undefined;
  for (const line of lines) {
    const [before = '', spaces = '', key = ''] = fields.has(lastKey) ? [] : (keyed.exec(line) ?? []);
    const isField = key !== '' && isKnown(key) && !fields.has(key);
    if (isField && (indent === undefined || spaces.length === indent)) {
      indent = spaces.length;
      open = { value: line.slice(before.length).trim(), lines: [], indent };
      fields.set(key, open);
    } else open?.lines.push(line);
  }
  return fields;
}

/** The parts of a list of named parts, such as containers and volumes: `  web:` with its fields below. */
export function partsOf({
  lines,
}: Field): readonly { readonly name: string; readonly lines: readonly string[] }[] {
  const parts: { name: string; lines: string[] }[] = [];
  const named = /^( *)([A-Za-z0-9][A-Za-z0-9_.-]*):\s*$/u;
  let indent: number | undefined;
  for (const line of lines) {
    const [, spaces = '', name = ''] = named.exec(line) ?? [];
    if (name !== '' && (indent === undefined || spaces.length === indent)) {
      indent = spaces.length;
      parts.push({ name, lines: [] });
    } else parts.at(-1)?.lines.push(line);
  }
  return parts;
}

export function fieldOf(fields: Fields, ...keys: readonly string[]): Field | undefined {
  for (const key of keys) {
    const field = fields.get(key);
    if (field !== undefined) return field;
  }
  return undefined;
}

/** What stands behind the colon; `undefined` where the field is absent or states that there is nothing. */
export function statedIn(fields: Fields, ...keys: readonly string[]): string | undefined {
  const value = fieldOf(fields, ...keys)?.value.trim() ?? '';
  return isNothing(value) ? undefined : value;
}

/** How kubectl states that a field has no value. */
function isNothing(value: string): boolean {
  return value === '' || /^<(?:none|unset|unknown|invalid|nil)>$/u.test(value);
}

/** A text that may take several lines, as a program wrote it. */
export function textOf(fields: Fields, ...keys: readonly string[]): string {
  const field = fieldOf(fields, ...keys);
  if (field === undefined) return '';
  return [field.value, ...field.lines].join('\n').trim();
}

/** The values of a field that has one a line. */
export function valuesOf(field: Field | undefined): readonly string[] {
  if (field === undefined) return [];
  const below = field.lines.filter((line) => indentOf(line) > field.indent).map((line) => line.trim());
  return [field.value.trim(), ...below].filter((value) => !isNothing(value));
}

/** `key=value`, one a line: labels and selectors of nodes. */
export function labelsOf(field: Field | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    valuesOf(field).flatMap((line) => {
      const at = line.indexOf('=');
      return at <= 0 ? [] : [[line.slice(0, at), line.slice(at + 1)]];
    }),
  );
}

/** `key: value`, one a line; a longer value stands below its key, further to the right. */
export function annotationsOf(field: Field | undefined): Readonly<Record<string, string>> {
  if (field === undefined) return {};
  const found: [string, string][] = [];
  let column: number | undefined;
  const lines = [field.value, ...field.lines];
  for (const [at, line] of lines.entries()) {
    if (isNothing(line.trim())) continue;
    const indent = at === 0 ? undefined : indentOf(line);
    column ??= indent;
    const isFurther = indent !== undefined && column !== undefined && indent > column;
    const last = found.at(-1);
    const trimmed = line.trim();
    const [before = '', key] = /^([^\s:]{1,400}):(?=\s|$)/u.exec(trimmed) ?? [];
    const value = trimmed.slice(before.length);
    if (key !== undefined && !(isFurther && last !== undefined)) found.push([key, value.trim()]);
    else if (last !== undefined) last[1] = [last[1], line.trim()].filter((part) => part !== '').join('\n');
  }
  return Object.fromEntries(found);
}

/** Amounts by resource: `cpu: 500m`, one a line below the field. */
export function amountsOf(field: Field | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (field?.lines ?? []).flatMap((line) => {
      const [, name = '', amount = ''] = /^\s+(\S+):\s+(\S+)\s*$/u.exec(line) ?? [];
      return name === '' ? [] : [[name, amount]];
    }),
  );
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** RFC 1123 with a numeric zone, as kubectl prints times. The zero time of Go stands for none. */
export function timeOf(text: string | undefined): string | undefined {
  if (
    text === undefined ||
    !/^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}$/u.test(text.trim())
  ) {
    return undefined;
  }
  const at = Date.parse(text);
  return Number.isNaN(at) || at <= 0 ? undefined : new Date(at).toISOString();
}

const unitSeconds: Readonly<Record<string, number>> = { y: 31_536_000, d: 86_400, h: 3_600, m: 60, s: 1 };

/**
 * Seconds of an age such as `3h12m` (apimachinery `duration.HumanDuration`). It is cut off, never rounded up,
 * so the true age is this or more.
 */
export function ageSecondsOf(text: string): number | undefined {
  const age = text.trim();
  if (!/^(?:\d{1,6}[ydhms])+$/u.test(age)) return undefined;
  let seconds = 0;
  for (const [, count = '0', unit = 's'] of age.matchAll(/(\d{1,6})([ydhms])/gu)) {
    seconds += Number(count) * (unitSeconds[unit] ?? 0);
  }
  return seconds;
}

/** Ages of an event: `5m`, or `10s (x14 over 3m)` where it was repeated. */
interface EventAge {
  /** Seconds since it was seen last and first. */
  readonly last: number;
  readonly first: number;
  readonly count: number;
}

/**
 * A time ahead of the clock of kubectl, and a time that is missing, are printed in these words: no age is
 * known.
 */
const noAge = /^<(?:invalid|unknown)>$/u;

export function eventAgeOf(text: string): EventAge | undefined {
  const [, last = '', count, first] = /^(\S+)(?:\s+\(x(\d{1,9}) over (\S+?)\))?$/u.exec(text.trim()) ?? [];
  const lastSeconds = noAge.test(last) ? 0 : ageSecondsOf(last);
  if (lastSeconds === undefined) return undefined;
  const firstSeconds = first === undefined ? lastSeconds : (ageSecondsOf(first) ?? lastSeconds);
  return { last: lastSeconds, first: firstSeconds, count: count === undefined ? 1 : Number(count) };
}

/**
 * A label selector as text: `app=web,tier in (a,b),!legacy` (apimachinery `labels.Selector.String` and
 * `FormatLabelSelector`). A part of another form is kept as a requirement that nothing satisfies.
 */
export function selectorOf(text: string): object {
  const matchLabels: Record<string, string> = {};
  const matchExpressions: object[] = [];
  for (const part of termsOf(text)) {
    const [, equalKey, equalValue = ''] = /^([^\s!=(),]+)==?([^\s=!(),]*)$/u.exec(part) ?? [];
    const [, otherKey, otherValue = ''] = /^([^\s!=(),]+)!=([^\s=!(),]*)$/u.exec(part) ?? [];
    const [, setKey, operator, values = ''] = /^([^\s!=(),]+)\s+(in|notin)\s+\(([^()]*)\)$/u.exec(part) ?? [];
    if (equalKey !== undefined) matchLabels[equalKey] = equalValue;
    else if (otherKey !== undefined) {
      matchExpressions.push({ key: otherKey, operator: 'NotIn', values: [otherValue] });
    } else if (setKey !== undefined) {
      const among = values.split(',').map((value) => value.trim());
      matchExpressions.push({ key: setKey, operator: operator === 'in' ? 'In' : 'NotIn', values: among });
    } else if (/^![^\s!=(),]+$/u.test(part)) {
      matchExpressions.push({ key: part.slice(1), operator: 'DoesNotExist' });
    } else if (/^[^\s!=(),]+$/u.test(part)) {
      matchExpressions.push({ key: part, operator: 'Exists' });
    } else matchExpressions.push({ key: part, operator: 'Unreadable' });
  }
  return { matchLabels, matchExpressions };
}

/** Commas within brackets belong to the part. */
function termsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const character of text.trim()) {
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) {
      parts.push(part);
      part = '';
    } else part += character;
  }
  return [...parts, part].map((each) => each.trim()).filter((each) => each !== '' && each !== '<none>');
}
