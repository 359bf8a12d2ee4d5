import { isHarmlessValue } from './harmless-values.js';
import type { SecretKind, Span } from './span.js';

/** Passwords that commands, configuration files and SQL take without a telling flag or separator. */
export function commands(text: string): readonly Span[] {
  return patterns.flatMap(({ kind, pattern }) => {
    const spans: Span[] = [];
    for (const found of text.matchAll(pattern)) {
      const value = found[1] ?? '';
      if (isHarmlessValue(value)) continue;
      const start = found.index + found[0].lastIndexOf(value);
      const quote = opened.exec(text.slice(Math.max(found.index, start - 66), start))?.[1];
      spans.push({
        start,
        end: quote === undefined ? start + value.length : endOf(text, start, value, quote),
        kind,
      });
    }
    return spans;
  });
}

/** The quote that opens the value, or the user and the colon before it. */
const opened = /(["'])(?:[\w.@-]{1,64}:)?$/u;

/** Within quotes a password may hold spaces: it ends where they close, or with its first word where they do not. */
function endOf(text: string, start: number, value: string, quote: string): number {
  const line = text.slice(start, start + 256).split('\n', 1)[0] ?? '';
  const closing = line.indexOf(quote, value.length);
  return start + (closing < 0 ? value.length : closing);
}

/** The first group is the secret and ends the match but for a quote. */
const patterns: readonly { readonly kind: SecretKind; readonly pattern: RegExp }[] = [
  // curl -u user:password, wget --user=…
  {
    kind: 'password',
    pattern: /(?<![\w-])(?:-u|--user|--proxy-user)[ =]{1,3}["']?[\w.@-]{1,64}:([^\s"']{2,256})/gu,
  },
  // mysql -u root -ppassword (and mysqldump, mysqladmin, mariadb)
  {
    kind: 'password',
    pattern: /(?:mysql|mariadb)[a-z]{0,8}(?:[ \t]{1,4}[^\s]{1,40}){0,6}?[ \t]{1,4}-p["']?([^\s"']{2,256})/gu,
  },
  // sshpass -p password, docker login -p password, redis-cli -a password
  {
    kind: 'password',
    pattern: /(?:sshpass|login)(?:[ \t]{1,4}[^\s]{1,40}){0,6}?[ \t]{1,4}-p[ \t]{0,4}["']?([^\s"']{2,256})/gu,
  },
  {
    kind: 'password',
    pattern: /redis-cli(?:[ \t]{1,4}[^\s]{1,40}){0,6}?[ \t]{1,4}-a[ \t]{1,4}["']?([^\s"']{2,256})/gu,
  },
  // redis.conf and the AUTH command, SQL, .netrc
  { kind: 'password', pattern: /(?:requirepass|masterauth)[ \t]{1,8}["']?([^\s"']{2,256})/gu },
  {
    kind: 'password',
    pattern: /(?<![\w-])AUTH[ \t]{1,4}(?:[\w.-]{1,40}[ \t]{1,4})?["']?((?=[^\s"']{0,40}\d)[^\s"']{6,256})/gu,
  },
  {
    kind: 'password',
    pattern: /IDENTIFIED(?: WITH [\w"'-]{1,40})? (?:BY|AS)(?: PASSWORD)? {1,4}["']([^"'\n]{1,256})/giu,
  },
  { kind: 'password', pattern: /(?<![\w-])(?:PASSWORD|password)[ \t]{1,4}["'`]([^"'`\n]{1,256})["'`]/gu },
  { kind: 'password', pattern: /(?<![\w-])login[ \t]{1,4}\S{1,64}\s{1,8}password[ \t]{1,4}(\S{2,256})/gu },
  // a line of .pgpass
  {
    kind: 'password',
    pattern: /(?<=^|\n)[\w.*-]{1,100}:(?:\d{1,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:([^\s:]{2,256})(?=$|\n)/gu,
  },
];
