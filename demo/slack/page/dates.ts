/** A reader's place and language. */
export interface Reader {
  readonly locale: string;
  readonly timeZone: string;
}

/**
 * Fills Slack's date tokens for one reader.
 * source: docs.slack.dev/messaging/formatting-message-text (date formatting)
 *
 * @param now seconds, for `today` and `{ago}`
 */
export function formatDate(seconds: number, format: string, reader: Reader, now: number): string {
  const date = new Date(seconds * 1000);
  const show = (options: Intl.DateTimeFormatOptions, at = date) =>
    new Intl.DateTimeFormat(reader.locale, { timeZone: reader.timeZone, ...options }).format(at);
  const day = (at: Date) =>
    new Intl.DateTimeFormat('en-CA', { timeZone: reader.timeZone, dateStyle: 'short' }).format(at);
  const pretty = (otherwise: string) => {
    const offset = [-1, 0, 1].find((days) => day(new Date((now + days * 86_400) * 1000)) === day(date));
    if (offset === undefined) return otherwise;
    return new Intl.RelativeTimeFormat(reader.locale, { numeric: 'auto' }).format(offset, 'day');
  };
  const long = () => show({ weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' });
  const medium = () => show({ month: 'long', day: 'numeric' });
  const short = () => show({ year: 'numeric', month: 'short', day: 'numeric' });
  const tokens: Readonly<Record<string, () => string>> = {
    date_num: () => day(date),
    date_slash: () => show({ year: 'numeric', month: '2-digit', day: '2-digit' }),
    date_long: long,
    date_long_full: () => show({ year: 'numeric', month: 'long', day: 'numeric' }),
    date_long_pretty: () => pretty(long()),
    date: medium,
    date_pretty: () => pretty(medium()),
    date_short: short,
    date_short_pretty: () => pretty(short()),
    time: () => show({ hour: 'numeric', minute: '2-digit' }),
    time_secs: () => show({ hour: 'numeric', minute: '2-digit', second: '2-digit' }),
    ago: () => ago(seconds - now, reader.locale),
  };
  return format.replace(/\{(\w+)\}/g, (token, name: string) => tokens[name]?.() ?? token);
}

function ago(seconds: number, locale: string): string {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const;
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return relative.format(seconds, 'second');
}

/** The moment in full, for a title. */
export function fullDate(seconds: number, reader: Reader): string {
  return new Intl.DateTimeFormat(reader.locale, {
    timeZone: reader.timeZone,
    dateStyle: 'full',
    timeStyle: 'long',
  }).format(new Date(seconds * 1000));
}
