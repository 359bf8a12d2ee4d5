import { describe, expect, it } from 'vitest';
import { redact } from '#src/doctor/redaction/redact.js';
import { itRedacts, type Row } from './redacted.js';

const q = ['Tr0ub4', 'dor3x'].join('');

describe('invisible characters', () => {
  it.each([
    ['a colour', 'a\u001b[31mb', 'ab'],
    ['a sequence with all its parts', 'a\u001b[?25;1 /hb', 'ab'],
    ['a sequence in C1', 'a\u009b1;2mb', 'ab'],
    ['a title up to the bell', 'a\u001b]0;title\u0007b', 'ab'],
    ['a title up to its terminator', 'a\u001b]0;title\u001b\\b', 'ab'],
    ['a title in C1', 'a\u009d0;title\u009cb', 'ab'],
    ['a title that does not end in its line', 'a\u001b]0;title\nb', 'a\nb'],
    ['a device control string', 'a\u001bPx\u001b\\b', 'ab'],
    ['a start of string', 'a\u001bXx\u001b\\b\u0098x\u009cc', 'abc'],
    ['a privacy message', 'a\u001b^x\u001b\\b\u009ex\u009cc', 'abc'],
    ['a program command', 'a\u001b_x\u001b\\b\u009fx\u009cc', 'abc'],
    ['a device control string in C1', 'a\u0090x\u009cb', 'ab'],
    ['an escape of two characters', 'a\u001bcb', 'ab'],
    ['an escape of three characters', 'a\u001b(Bb', 'ab'],
    ['an escape before nothing', 'a\u001b', 'a'],
    ['an escape before a line break', 'a\u001b\nb', 'a\nb'],
    ['an escape in a string', 'a\u001b]x\u001b[1mb', 'ab'],
    ['a bell', 'a\u0007b', 'ab'],
    ['a null', 'a\u0000b', 'ab'],
    ['a zero-width space', 'a\u200bb', 'ab'],
    ['a direction', 'a\u202eb', 'ab'],
    ['an annotation', 'a\ufff9\ufffa\ufffbb', 'ab'],
    ['not a tab', 'a\tb', 'a\tb'],
    ['not a newline', 'a\nb', 'a\nb'],
    ['a carriage return', 'a\rb', 'a\nb'],
    ['a carriage return and a newline', 'a\r\nb', 'a\nb'],
    ['two carriage returns', 'a\r\rb', 'a\n\nb'],
    ['other line breaks', 'a\vb\fc\u0085d\u2028e\u2029f', 'a\nb\nc\nd\ne\nf'],
    ['half a surrogate pair', 'a\ud800b', 'a\ufffdb'],
    ['not a whole one', 'a😀b', 'a😀b'],
    ['more than eight combining marks', `a${'\u0301'.repeat(10)}b`, `a${'\u0301'.repeat(8)}b`],
    ['not eight of them', `a${'\u0301'.repeat(8)}b`, `a${'\u0301'.repeat(8)}b`],
  ])('%s', (_, text, shown) => {
    expect(redact(text)).toBe(shown);
  });

  it('hide no secret', () => {
    expect(redact(`pass\u200bword=\u001b[1m${q}`)).toBe('password=[redacted password]');
  });
});

describe('the text between a name and its value', () => {
  const signs = '===> ==> => === == := ?= = : ： ＝ --> -> <- ~> → ⇒ ➜ ➔ »'.split(' ');
  itRedacts('password', [
    ...signs.map((sign): Row => [`my password ${sign} ‹${q}›`]),
    ...signs.filter((sign) => /[-~→⇒➜➔»]|=>$/u.test(sign)).map((sign): Row => [`the token ${sign} expired`]),
    [`password....‹${q}›`],
    [`password...${q}`],
    [`password${'.'.repeat(40)}‹${q}›`],
    [`arn:aws:secretsmanager:eu:1:secret:${q}`],
    [`checksum/secret: ${q}`],
    [`{Password: SSLMode:disable}`],
    [`{Password: ‹sslMode:disable1›}`],
    ['com.example.Token:42'],
    ['com.example.Token:42)'],
    [`com.example.Token:‹424242›`, 'token'],
    ['const token = await f9()'],
    ['const token = new F9()'],
    ['PWD=/shop/a1b2c3'],
    ['OLDPWD=/shop/a1b2c3'],
    [`"password": protected by a1b2c3`],
  ]);
});
