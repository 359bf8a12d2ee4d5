import { looksRandom } from './entropy.js';
import type { Span } from './span.js';

/**
 * Hashes of passwords, which can be guessed offline, as `/etc/shadow`, htpasswd, LDAP, PostgreSQL, MySQL and web frameworks
 * store them, and secret access keys of Amazon, which are forty characters of base64 and nothing else.
 */
export function namelessShapes(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const found of text.matchAll(hash)) {
    spans.push({ start: found.index, end: found.index + found[0].length, kind: 'password' });
  }
  for (const found of text.matchAll(forty)) {
    if (!looksRandom(found[0]) || /^[0-9a-f]{40}$/iu.test(found[0])) continue;
    spans.push({ start: found.index, end: found.index + found[0].length, kind: 'key' });
  }
  return spans;
}

/** crypt(3) and what took its form; LDAP's schemes; Django; Werkzeug; PostgreSQL's SCRAM and MD5; MySQL's native form. */
const hash =
  /\$(?:1|2[abxy]?|5|6|7|y|gy|sha1|md5|apr1|argon2(?:id|i|d)|scrypt|pbkdf2[\w-]{0,20}|bcrypt-sha256|[PHS])\$[\w./+=,$-]{16,400}|\{(?:SSHA|SHA|SMD5|MD5|CRYPT|SSHA256|SSHA512|SHA256|SHA512|PBKDF2[\w-]{0,20}|bcrypt|argon2)\}[\w./+=$-]{16,400}|(?:pbkdf2_sha\d{1,3}|bcrypt_sha256|argon2|scrypt)\$[\w./+=,$-]{16,400}|(?:pbkdf2|scrypt):[\w:]{1,40}\$[\w./+=$-]{16,400}|SCRAM-SHA-\d{1,3}\$[\w./+=:$-]{16,400}|(?<![\w-])md5[0-9a-f]{32}(?![\w-])|(?<![\w*])\*[0-9A-F]{40}(?!\w)/gu;

const forty = /(?<![A-Za-z0-9+/_.@-])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=_@-])/gu;
