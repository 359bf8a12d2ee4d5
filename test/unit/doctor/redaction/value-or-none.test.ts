import { describe } from 'vitest';
import { itRedacts, type Row } from './redacted.js';

const q = ['Tr0ub4', 'dor3x'].join('');
const inBraces = (name: string): string => ['$', '{', name, '}'].join('');

const kept = (values: readonly string[]): Row[] => values.map((value) => [`password: "${value}"`]);
const taken = (values: readonly string[]): Row[] => values.map((value) => [`password: "‹${value}›"`]);

describe('a placeholder for a missing value', () => {
  const none =
    'true false null nil ~ none undefined unset n/a [] {} [ { | > |- |+ >- >+ - --- * ***** xxx xxxxx redacted (redacted) filtered masked hidden [filtered] [masked] [hidden] string str int integer number boolean bool text varchar bytes object array password secret token key value **redacted** *redacted*'.split(
      ' ',
    );
  itRedacts('password', [
    ...kept(none),
    ...kept(none.filter((each) => each.length > 3).map((each) => each.toUpperCase())),
    ...kept(['(sensitive value)', '(known after apply)', '<password>', '<a b>', '<your_pass-word.x y>']),
    ...taken(['truely', 'untrue', 'nulls', 'annull', '---a', 'a---', '***a', 'xxxa', 'xx', 'xxy']),
    ...taken(['redacteds', 'unmasked', 'passwords', 'keys', 'mystring', '<>', '<9a>', '-x-']),
    ...taken(['[filtered', 'filtered]'].map((each) => `${each}x`)),
    ['password="true"'],
    ['password=x'],
    ['password=‹xy›'],
    ["password=''"],
  ]);
});

describe('a value that is a file path', () => {
  const roots =
    'var etc run tmp mnt home opt secret secrets vault usr app apps root proc sys dev data config srv workspace work code src go build builds cert certs keys'.split(
      ' ',
    );
  itRedacts('password', [
    ...kept(roots.map((root) => `/${root}/shop/x.1@a:b+c-d`)),
    ...kept([
      '/var',
      '/run/',
      './a/b.txt',
      '../a-b/c_d',
      'file:///run/a',
      'file:///etc/x/y',
      '/etc/a/b/c/d/',
    ]),
    ...taken([
      '/varx/shop',
      'x/var/shop',
      '/shop/x',
      '.../a',
      '.a/b',
      '/etc/a!b',
      './a!b',
      'files:///etc/a',
      '/etc//a',
    ]),
    ...kept([`/etc${'/a'.repeat(12)}`, `/etc/${'a'.repeat(80)}`]),
    ...taken([`/etc${'/a'.repeat(13)}`, `/etc/${'a'.repeat(81)}`]),
  ]);
});

describe('a value that is inserted later', () => {
  itRedacts('password', [
    ...kept([
      '$(DB)',
      '$(db_1)',
      inBraces('DB'),
      inBraces('db.pass'),
      '$DB_PASS',
      '$ABC',
      '{{ .Values.x }}',
      '{{}}',
      `$${'{{ secrets.X }}'}`,
      '%s',
      '%V',
    ]),
    ...taken([
      '$(9B)',
      '$()',
      '$AB',
      '$Abc',
      '$abc',
      'x$ABC',
      '$ABC1',
      '%ss',
      '%9',
      '{{ a',
      '{{ {a} }}',
      '$(DB)x',
    ]),
    ...kept([
      'var.db_pass',
      'process.env.DB',
      'os.environ["DB"]',
      'env("DB")',
      "os.getenv('DB');",
      'local.x,',
    ]),
    ...taken(['var.db pass', 'varx.db', 'var.db!', 'xvar.db!']),
    ...kept(['map[a:b]', '{"a":"b"}', '&{A:b}', '{Host:b}', '&[a]']),
    ...taken(['map(a:b)', '{9a:b}', '&a', 'xmap[a:b]']),
    ...kept(['0xc000123456', '0x55d1>', '0xabcd', 'arn:aws:iam::1:x', 'arn:aws-cn:x']),
    ...taken([
      '0xab',
      '0xc00012345678901234',
      '0xzzzz',
      'x0xabcd',
      'arn:x:y',
      'arn:AWS:y',
      '0xabcd>>',
      '0xabcdx',
    ]),
    ...kept(['16 bytes', '1 bytes', "<set to the key 'a' in secret 'b'>  Optional: false"]),
    ...taken(['16 bytesx', 'x 16 bytes', '16bytes!']),
  ]);
});

describe('a value that is a state or a sentence', () => {
  const states =
    'protected private expired invalid missing required incorrect unauthorized unauthorised unauthenticated forbidden denied failed unset empty unknown error found present absent disabled enabled ok okay valid accepted rejected revoked refreshed rotated created updated deleted unchanged changed mounted loading loaded timeout wrong mismatch mismatched malformed unsupported unexpected optional provided not illegal bad yes no set known successful successfully succeeded granted falsch ungültig abgelaufen fehlt erforderlich inválida inválido incorrecta incorrecto caducada requerida invalide expiré expirée requis requise manquant'.split(
      ' ',
    );
  const starts =
    "via failure fail failing errors must cannot can could is are was were has have had does doesn't do did didn't should will would to for or and of in at by from with without the a an this that it too unable already still after before because if when while during as on but please check see use using get getting fetch fetching read reading open opening rpc dial connection context permission crypto asn1 tls x509 json yaml length expected got couldn't can't wasn't isn't authentication field flag configmap secret secrets references non-existent object access resource pods pod node nodes exit command parse parsing decode decoding http https".split(
      ' ',
    );
  itRedacts('password', [
    ...states.map((state): Row => [`password: "${state}"`]),
    ...states.map((state): Row => [`password: "‹${state}9${q}›"`]),
    ...starts
      .filter((start) => /^(?!secrets?$)[a-z'-]+$/u.test(start))
      .map((start): Row => [`password: "${start} ${q}"`]),
    [`password: "secret ‹${q}›"`, 'secret'],
    [`password: "secrets ‹${q}›"`, 'secret'],
    ...starts.filter((start) => start.length > 2).map((start): Row => [`password: "‹${start}${q}›"`]),
    ['password: "Expired at 10:00"'],
    ['password: "expired."'],
    ['password: "expired, again"'],
    ...taken([
      'expired_x',
      'expired-',
      'expired=x',
      'expired/x',
      'expired@x',
      'the',
      'x expired',
      '9 expired',
    ]),
  ]);
});

describe('a word that is clearly a password', () => {
  const rowsOf = (words: readonly string[], mark: boolean): Row[] =>
    words.map((word) => [mark ? `the password is ‹${word}› ok` : `the password is ${word} ok`]);
  itRedacts('password', [
    ...rowsOf(
      ['abcd5e', 'abc!de', 'abc@de', 'abc#de', 'abc$de', 'abc%de', 'abc^de', 'abc&de', 'abc*de', 'abc+de'],
      true,
    ),
    ...rowsOf(
      ['abc~de', 'abc?de', '日本語1x2', 'v1x2y3z', 'x_1-2_y', 'a1..b2', 'a1/b2/c!3', 'SHA25x6y', '5/6/7/a'],
      true,
    ),
    ...rowsOf(['abc1d', 'abcdef', '123456', '12!456', 'abc-def', 'db-credentials1', 'shop/tls1'], false),
    ...rowsOf(['/var/a1b2', './a1b2c3', '../a1b2c3', '(a1b2c3', '{a1b2c3', '<a1b2c3', '[a1b2c3'], false),
    ...rowsOf(['2026-11-20T1', 'sha256:a1b2', 'SHA512:a1b2', 'https://a1b2', 'a+b.c-1://a1'], false),
    ...rowsOf(
      ['f.g1$(x1', 'call1(x)', 'v1.27.3', 'v1.27.3abc', '1.2.3%', '100.5ms', '1:2:3.5s', '10,5-6x'],
      false,
    ),
    ...rowsOf(
      ['SHA-256', 'SHA256', 'MD-1234', 'RS-512', 'AES256', 'RFC7519', 'UTF-16', 'ISO8601', 'base64'],
      false,
    ),
    ...rowsOf(['oauth2', 'HS-256', 'ES-256', 'PS-256', 'x-1234'], false),
    ...rowsOf(['io.netty.Ssl1:42', 'a.b1c2d3', 'A$b.c1d2', '3f1c2b4a-5d6e-4f70-8a91-b2c3d4e5f607'], false),
    ...rowsOf(['AES25612', 'UTF-16abc!9', 'oauth2x!9'], true),
  ]);
});

describe('a word of prose or of another script', () => {
  itRedacts('password', [
    ['wrong password: Qwertyuiop'],
    ["wrong password: qwertyuiop's"],
    ['wrong password: qwertyuiop’s,'],
    ['wrong password: qwertyuiop; then'],
    ['wrong password: ‹qwErtyuiop›'],
    ["wrong password: ‹qwertyuiop'abc›"],
    ['비밀번호: 필수 항목입니다'],
    ['토큰: 3필수항목입니다.'],
    ['비밀번호: 필수항목!。'],
    ['비밀번호: ‹필수9항목입니다›'],
    ['비밀번호: abc필수항목'],
    ['password: пароль'],
    ['password: ‹пароль1›'],
    ['token: ‹1234пароль›', 'token'],
    ['token: 123пароль'],
  ]);
});
