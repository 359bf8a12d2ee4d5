import { describe, expect, it } from 'vitest';
import { isRandomLike } from '#src/doctor/redaction/entropy.js';
import {
  isHarmlessValue,
  isObjectName,
  isProseWord,
  isVariable,
} from '#src/doctor/redaction/harmless-values.js';
import { decodeBase64 } from '#src/doctor/redaction/headers.js';
import { isEnvironmentStyle, secretKindOf, wordsOf } from '#src/doctor/redaction/secret-names.js';
import { replaceSpans, type Span, veilMarkers } from '#src/doctor/redaction/span.js';
import { readValue, toEndOfLine } from '#src/doctor/redaction/values-in-text.js';
import { hexadecimal } from './canaries.js';

/** A variable as a shell writes it. */
const inBraces = (name: string): string => ['$', '{', name, '}'].join('');

describe('a run of characters looks random', () => {
  it.each<readonly [string, string, boolean]>([
    ['when cases and digits alternate, from sixteen characters on', 'aB3dE6gH9jK2mN5p', true],
    ['not with fifteen', 'aB3dE6gH9jK2mN5', false],
    ['without counting base64 padding', 'aB3dE6gH9jK2mN5p==', true],
    ['not where only the padding makes it long enough', 'aB3dE6gH9jK2mN=', false],
    ['not without digits', 'aBcDeFgHiJkLmNoPqR', false],
    ['not without capitals', 'a1b2c3d4e5g6h7i8j9k0', false],
    ['not without small letters', 'A1B2C3D4E5G6H7I8J9K0', false],
    ['when it is a hexadecimal number of 32', hexadecimal(32), true],
    ['not of 31', hexadecimal(31), false],
    ['when it is one in capitals', hexadecimal(32).toUpperCase(), true],
    ['not when it is a number of digits only', '12345678901234567890123456789012', false],
    ['not when it has letters only', 'abcdefabcdefabcdefabcdefabcdefab', false],
    ['not when it is a uid', '3f1c2b4a-5d6e-4f70-8a91-b2c3d4e5f607', false],
    ['not when it is made of words of programs', 'HttpClient2.loadKey/v1beta1_Service-Account2026', false],
    ['not when its classes seldom change', 'Abcdefghijklmnop1234567890123456/x9y8Zz', false],
    ['not when it is empty', '', false],
  ])('%s', (_, value, expected) => {
    expect(isRandomLike(value)).toBe(expected);
  });
});

describe('base64', () => {
  const encode = (text: string) => Buffer.from(text).toString('base64');

  it.each(['p', 'pa', 'pas', 'DB_PASSWORD=hunter2', '~ ~', 'tab\tand\r\nline'])(
    'decodes to the text %j',
    (text) => {
      expect(decodeBase64(encode(text))).toBe(text);
      expect(decodeBase64(encode(text).replace(/=+$/u, ''))).toBe(text);
      expect(decodeBase64(encode(text).replaceAll('+', '-').replaceAll('/', '_'))).toBe(text);
    },
  );

  it.each([
    ['of characters that it does not have', 'cGFz*zd29y'],
    ['of an unprintable byte', encode('a\u0001b')],
    ['of a byte that deletes', encode('a\u007fb')],
    ['of bytes that are no UTF-8', Buffer.from([0x70, 0xff, 0xfe, 0x71]).toString('base64')],
    ['of too little for a byte', 'c'],
    ['of an empty text', ''],
  ])('decodes to no text %s', (_, encoded) => {
    expect(decodeBase64(encoded)).toBeUndefined();
  });

  it('reads every character of its alphabet, both ways of writing the last two', () => {
    expect(decodeBase64('Pj4+')).toBe('>>>');
    expect(decodeBase64('Pj4-')).toBe('>>>');
    expect(decodeBase64('Pz8/')).toBe('???');
    expect(decodeBase64('Pz8_')).toBe('???');
  });

  it('ends at its padding', () => {
    expect(decodeBase64('cGE=cGE=')).toBe('pa');
  });
});

describe('a value beside a telltale name is not a secret', () => {
  it.each([
    '',
    'x',
    ' y ',
    'true',
    'NULL',
    'none',
    '~',
    '""',
    '{}',
    '[',
    '|-',
    '>',
    '---',
    '****',
    'xxxx',
    '<your token>',
    '<REDACTED>',
    '[REDACTED]',
    '***redacted***',
    '$(DB_PASSWORD)',
    inBraces('DB_PASSWORD'),
    '$DB_PASSWORD',
    '{{ .Values.password }}',
    '%s',
    '/run/secrets/db',
    'file:///etc/tls/tls.key',
    '/var/run/',
    'expired',
    'Expired at noon',
    'not found',
    'failed to read it',
    'cannot open',
    '16 bytes',
    "<set to the key 'x' in secret 'y'>  Optional: false",
    'map[a:b]',
    '{User:app',
    '&{Name:web',
    '&[a',
  ])('%j', (value) => {
    expect(isHarmlessValue(value)).toBe(true);
  });

  it.each([
    'ab',
    'xx',
    'truely',
    'nones',
    '$a',
    '$(x y)',
    inBraces('1'),
    '%sx',
    '/hunter2',
    'hunter2/etc',
    'cannot',
    '16 bytesx',
    'map(a',
    'expired@home',
    '<b',
    'x-y',
  ])('%j may be a secret', (value) => {
    expect(isHarmlessValue(value)).toBe(false);
  });

  it.each<readonly [string, boolean]>([
    ['word', true],
    ['Word', true],
    ["don't", true],
    ['end.', true],
    ['WORD', false],
    ['wOrd', false],
    ['word1', false],
    ['two words', false],
    ['', false],
  ])('%j is classified as prose or not', (value, expected) => {
    expect(isProseWord(value)).toBe(expected);
  });

  it.each<readonly [string, boolean]>([
    ['$(A)', true],
    [inBraces('a_1'), true],
    ['$AB_C', true],
    ['{{ x }}', true],
    ['%d', true],
    ['$(1A)', false],
    ['$ab', false],
    ['$AB', false],
    ['{{ {x} }}', false],
    ['%', false],
    ['a$(A)', false],
    ['$(A)b', false],
  ])('%j is classified as a variable or not', (value, expected) => {
    expect(isVariable(value)).toBe(expected);
  });

  it.each<readonly [string, boolean]>([
    ['db-credentials', true],
    ['shop/tls', true],
    ['kubernetes.io/tls', true],
    ['nginx:1.27', true],
    ['nginx:latest', true],
    ['single', false],
    ['Db-Credentials', false],
    ['a1-b2-c3-d4', false],
    ['db-', false],
    ['web-7', true],
  ])('%j is classified as an object name or not', (value, expected) => {
    expect(isObjectName(value)).toBe(expected);
  });
});

describe('names in their usual spellings', () => {
  it.each<readonly [string, readonly string[]]>([
    ['DB_PASSWORD', ['db', 'password']],
    ['dbPassword', ['db', 'password']],
    ['db.password-2', ['db', 'password', '2']],
    ['HTTPAuthToken', ['http', 'auth', 'token']],
    ['v1Token', ['v1', 'token']],
    ['__', []],
  ])('%s is %j', (name, words) => {
    expect(wordsOf(name)).toEqual(words);
  });

  it.each<readonly [string, boolean]>([
    ['DB_PASSWORD', true],
    ['A1_B2', true],
    ['PASSWORD', false],
    ['db_password', false],
    ['DB_', false],
    ['_DB', false],
    ['1A_B', false],
    ['DB-PASSWORD', false],
  ])('%s is classified as an environment variable or not', (name, expected) => {
    expect(isEnvironmentStyle(name)).toBe(expected);
  });

  it.each<readonly [string, string | undefined]>([
    ['vaultId', 'secret'],
    ['session_id', 'cookie'],
    ['user_id', undefined],
    ['id', undefined],
    ['pass', 'password'],
    ['bypass', undefined],
    ['db_pass', 'password'],
    ['pass_count', undefined],
    ['SSH_KEY', 'key'],
    ['ssh.key', 'key'],
    ['sshKey', 'key'],
    ['fooKey', undefined],
    ['FOO_KEY', 'key'],
    ['ROW_KEY', undefined],
    ['apikey', 'key'],
    ['accessKeys', 'key'],
    ['API_KEYS', 'key'],
    ['signing.keys', 'key'],
    ['sort_keys', undefined],
    ['public_keys', undefined],
    ['keys', undefined],
    ['passwords', 'password'],
    ['creds', 'credentials'],
    ['jwt', 'token'],
    ['mnemonic', 'secret'],
    ['signature', 'token'],
    ['auth', 'credentials'],
    ['sid', 'cookie'],
    ['PHPSESSID', 'cookie'],
    ['client-key-data', 'key'],
    ['public_token', undefined],
    ['require_password', undefined],
    ['token_ttl', undefined],
    ['passwordPolicy', undefined],
  ])('%s reveals %s', (name, kind) => {
    expect(secretKindOf(name)).toBe(kind);
  });
});

describe('the end of a value', () => {
  const read = (text: string, from = 0) => {
    const { start, end, quoted, next } = readValue(text, from);
    return [text.slice(start, end), quoted, text.slice(next)];
  };

  it.each<readonly [string, string, readonly [string, boolean, string]]>([
    ['at a space', 'hunter2 and more', ['hunter2', false, ' and more']],
    ['at the quote that closes', '"two words" x', ['two words', true, ' x']],
    ['not at the other quote', `"it's" x`, [`it's`, true, ' x']],
    ['not at a quote that is written with a backslash', String.raw`"a\"b" x`, [String.raw`a\"b`, true, ' x']],
    ['at a quote behind a backslash that is one itself', String.raw`"a\\" x`, [String.raw`a\\`, true, ' x']],
    [
      'at a quote as deep as the one that opened',
      String.raw`\"a b\",\"c\"`,
      ['a b', true, String.raw`,\"c\"`],
    ],
    ['at a quote less deep, where the text around it ends', String.raw`\"a b" x`, ['a b', true, ' x']],
    ['at the end of the line, where no quote closes', '"a b\nnext"', ['a b', true, '\nnext"']],
    ['at the end of the text', '"a b', ['a b', true, '']],
    ['at the next name of a query', 'abc&user=app', ['abc', false, '&user=app']],
    ['not at an ampersand of its own', 'a&b', ['a&b', false, '']],
    ['at the next name of a list', 'abc;User=app', ['abc', false, ';User=app']],
    ['before brackets that close', 'abc}]),', ['abc', false, '}]),']],
    ['with the brackets of a variable', '$(NAME)', ['$(NAME)', false, '']],
    ['at the element that closes', 'abc</password>', ['abc', false, '</password>']],
    [
      'at a line break written as two characters',
      String.raw`abc\nUSER=x`,
      ['abc', false, String.raw`\nUSER=x`],
    ],
    ['at once, where the value is empty', ' x', ['', false, ' x']],
  ])('is found %s', (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each<readonly [string, string, string]>([
    ['with its line', 'two words\nnext', 'two words'],
    ['with the text', 'two words', 'two words'],
    ['before the next assignment of the line', 'two words user=app', 'two words'],
    ['not before an equals sign without a value', 'two words user= x', 'two words user= x'],
    ['without spaces behind it', 'two words  \nnext', 'two words'],
  ])('may be %s', (_, text, expected) => {
    const { start, end } = toEndOfLine(text, readValue(text, 0));

    expect(text.slice(start, end)).toBe(expected);
  });
});

describe('removed spans', () => {
  const take = (text: string, ...spans: readonly Span[]) => replaceSpans(text, veilMarkers(text), spans);
  const span = (start: number, end: number, kind: Span['kind'] = 'token'): Span => ({ start, end, kind });

  it.each<readonly [string, string, string]>([
    ['one', take('abcdef', span(2, 4)), 'ab[redacted token]ef'],
    ['two apart', take('abcdef', span(4, 5, 'key'), span(0, 1)), '[redacted token]bcd[redacted key]f'],
    [
      'two that touch stay two',
      take('abcdef', span(0, 2), span(2, 4, 'key')),
      '[redacted token][redacted key]ef',
    ],
    [
      'two that overlap are one, called by the longer',
      take('abcdef', span(0, 3, 'key'), span(2, 6)),
      '[redacted token]',
    ],
    ['one within another', take('abcdef', span(0, 5, 'secret'), span(1, 2)), '[redacted secret]f'],
    [
      'two alike are called by the first name',
      take('abc', span(0, 3, 'token'), span(0, 3, 'key')),
      '[redacted key]',
    ],
    ['none without spans', take('abc', span(1, 1)), 'abc'],
    [
      'each line by itself, with its indentation',
      take('x ab\n  cd \ny', span(2, 10)),
      'x [redacted token]\n  [redacted token] \ny',
    ],
    ['no empty line', take('ab\n\ncd', span(0, 6)), '[redacted token]\n\n[redacted token]'],
    ['no marker again', take('a [redacted key] b', span(2, 16)), 'a [redacted key] b'],
    ['a marker with the text beside it', take('a [redacted key]z b', span(2, 17)), 'a [redacted token] b'],
  ])('%s', (_, actual, expected) => {
    expect(actual).toBe(expected);
  });

  it('hide markers of an earlier pass character by character', () => {
    const text = 'a [redacted private key] b [redacted] c';

    expect(veilMarkers(text)).toHaveLength(text.length);
    expect(veilMarkers(text)).toBe(`a ${'\uE000'.repeat(22)} b [redacted] c`);
  });
});
