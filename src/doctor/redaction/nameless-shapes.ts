import { type Alphabet, alphabet, countOf, isRandomLike } from './entropy.js';
import type { Span } from './span.js';
import { knownPrefixes } from './token-forms.js';

/**
 * Hashes of passwords, which can be guessed offline, as `/etc/shadow`, htpasswd, LDAP, PostgreSQL, MySQL and
 * web frameworks store them, and secret access keys of Amazon, which are forty characters of base64 and
 * nothing else.
 */
export function namelessShapes(text: string): readonly Span[] {
  return [...hashes(text), ...bareHashes(text), ...accessKeys(text), ...prefixedRuns(text)];
}

/** The names of schemes, what encloses them, and the characters of the hash behind them. */
interface Schemes {
  readonly before: string;
  readonly names: readonly string[];
  readonly after: string;
  readonly alphabet: Alphabet;
}

const variants = (name: string): string =>
  ['', '-sha1', '-sha256', '-sha384', '-sha512'].map((each) => name + each).join(' ');
const crypt = `1 2a 2b 2x 2y 2 5 6 7 y gy sha1 md5 apr1 argon2id argon2i argon2d scrypt bcrypt-sha256 P H S ${variants('pbkdf2')}`;
const ldap = `SSHA SHA SMD5 MD5 CRYPT SSHA256 SSHA512 SHA256 SHA512 bcrypt argon2 PBKDF2 ${variants('PBKDF2').toUpperCase()}`;
const django = 'pbkdf2_sha1 pbkdf2_sha256 pbkdf2_sha512 bcrypt_sha256 argon2 scrypt';

/** crypt(3) and what took its form; LDAP; Django; PostgreSQL's SCRAM; Werkzeug. */
const allSchemes: readonly Schemes[] = [
  { before: '$', names: crypt.split(' '), after: '$', alphabet: alphabet('A-Za-z0-9_./+=,$-') },
  { before: '{', names: ldap.split(' '), after: '}', alphabet: alphabet('A-Za-z0-9_./+=$-') },
  { before: '', names: django.split(' '), after: '$', alphabet: alphabet('A-Za-z0-9_./+=,$-') },
  { before: 'SCRAM-SHA-', names: ['1', '256', '512'], after: '$', alphabet: alphabet('A-Za-z0-9_./+=:$-') },
  { before: '', names: ['pbkdf2', 'scrypt'], after: ':', alphabet: alphabet('A-Za-z0-9_./+=:$-') },
];

const fewestCharacters = 16;

function hashes(text: string): Span[] {
  const spans: Span[] = [];
  let at = 0;
  for (const { 0: after, index } of text.matchAll(/[$}:]/gu)) {
    if (index < at) continue;
    for (const schemes of allSchemes.filter((each) => each.after === after)) {
      const start = startOfName(text, index, schemes);
      const end = index + 1 + (start === undefined ? 0 : countOf(text, index + 1, schemes.alphabet));
      const isHash =
        end - index > fewestCharacters && (after !== ':' || text.slice(index, end).includes('$'));
      if (start === undefined || !isHash) continue;
      spans.push({ start, end, kind: 'password' });
      at = end;
    }
  }
  return spans;
}

function startOfName(text: string, end: number, { before, names }: Schemes): number | undefined {
  const name = names.find((each) => text.endsWith(before + each, end));
  return name === undefined ? undefined : end - name.length - before.length;
}

/** PostgreSQL's MD5 and MySQL's native form. */
function bareHashes(text: string): Span[] {
  return [...text.matchAll(/(?<![\w-])md5[\w-]+|(?<![\w*])\*\w+/gu)]
    .filter(([word]) => /^(?:md5[0-9a-f]{32}|\*[0-9A-F]{40})$/u.test(word))
    .map(({ 0: word, index }) => ({ start: index, end: index + word.length, kind: 'password' }));
}

/** Behind a prefix in lower case: a random run that is longer than the ids of requests and events. */
const fewestRandom = 28;
/** Ids of requests are longer behind a hyphen. */
const fewestBehindHyphen = 32;

/**
 * A token of an issuer that no table knows: `issuer_kind_`, `issuer-kind-` or `issuer.`, and a random run.
 */
function prefixedRuns(text: string): Span[] {
  return [...text.matchAll(/(?<![\w./-])[a-z][\w.-]*/gu)].flatMap(({ 0: run, index }) => {
    const prefix = /^[a-z][a-z0-9]{1,15}(?:[_-][a-z0-9]{1,12}){0,3}[_.-]/u.exec(run)?.[0] ?? '';
    const rest = run.slice(prefix.length);
    return prefix !== '' &&
      !knownPrefixes.has(prefix) &&
      (prefix.endsWith('-') ? isBehindHyphen(prefix, rest) : rest.length >= fewestRandom) &&
      isRandomLike(rest.slice(0, maxJudged))
      ? [{ start: index, end: index + run.length, kind: 'token' as const }]
      : [];
  });
}

const maxJudged = 256;

/** Names of objects end in a hyphen and a hash in lower case; npm and pages write digests as `sha512-x`. */
function isBehindHyphen(prefix: string, rest: string): boolean {
  return rest.length >= fewestBehindHyphen && /[A-Z]/u.test(rest) && !/^sha\d{1,3}-$/u.test(prefix);
}

const keyLength = 40;

function accessKeys(text: string): Span[] {
  return [...text.matchAll(/[A-Za-z0-9+/_.@-]+=?/gu)]
    .filter(([run]) => run.length === keyLength && /^[A-Za-z0-9+/]+$/u.test(run))
    .filter(([run]) => isRandomLike(run) && !/^[0-9a-f]+$/iu.test(run))
    .map(({ index }) => ({ start: index, end: index + keyLength, kind: 'key' }));
}
