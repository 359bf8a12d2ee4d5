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
