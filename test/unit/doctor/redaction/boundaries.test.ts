import { describe, expect, it } from 'vitest';
import { redact } from '#src/doctor/redaction/redact.js';
import { hexadecimal, mixed } from './canaries.js';

const p = ['hunter2', 'Canary', '!x'].join('');
const q = ['Tr0ub4', 'dor3x'].join('');
const random = mixed(28);

/** Texts with their secrets between ‹ and ›; without any, the text stays as it is. */
function expectRedacted(rows: readonly (readonly [string, string])[]): void {
  it.each(rows)('%s', (_, text) => {
    const secrets = [...text.matchAll(/‹([^›]*)›/gu)].map((found) => found[1] ?? '');
    const pattern = text.split(/‹[^›]*›/u);
    const result = redact(text.replace(/[‹›]/gu, ''));

    expect(result.replace(/\[redacted [a-z ]+\]/gu, '‹›')).toBe(pattern.join('‹›'));
    for (const secret of secrets) expect(result).not.toContain(secret);
  });
}

describe('tokens at their boundaries', () => {
  const github = ['ghp_', mixed(16)].join('');
  const access = ['AKIA', 'Z7QK4LM2XW9VT8RB'].join('');
  const odd = ['A3TX', 'Z7QK4LM2XW9VT8RB'].join('');
  const azure = `${mixed(86)}==`;
  const vault = ['s.', mixed(24)].join('');
  const confluent = ['4b1d', mixed(38)].join('');
  const mailchimp = [hexadecimal(32), '-us12'].join('');
  const jwt = ['eyJhbGciOiJIUzI1', 'eyJzdWIiOiI0MiJ9', mixed(43)].join('.');
  expectRedacted([
    ['the fewest characters', `a ‹${github}› b`],
    ['not one character fewer', `a ${github.slice(0, -1)} b`],
    ['behind a line break written as \\n', `x\\n‹${github}›`],
    ['behind a percent-encoded character', `x%3D‹${github}›`],
    ['not inside a word that ends in n', `pen${github}`],
    ['not behind a percent sign and one digit', `x%D${github}`],
    ['an access key id', `a ‹${access}› b`],
    ['not a longer run of capitals', `a ${access}X b`],
    ['the rarer access key ids', `a ‹${odd}› b`],
    ['not a longer run behind a rare prefix', `a ${odd}X b`],
    ['a storage key', `a ‹${azure}› b`],
    ['not the end of a longer run', `a xyz+${azure} b`],
    ['not the digest of a package', `a sha512-${azure} b`],
    ['an old token of Vault', `a ‹${vault}› b`],
    ['not a longer one', `a ${vault}x b`],
    ['not one without a digit', `a s.${'abcdefghijkl'.repeat(2)} b`],
    ['a key of Confluent', `a ‹${confluent}› b`],
    ['not a longer key', `a ${confluent}x b`],
    ['a key of Mailchimp', `a ‹${mailchimp}› b`],
    ['not a word behind it', `a ${mailchimp}-web b`],
    ['a JSON Web Token with all its parts', `a ‹${jwt}›: b`],
    ['a JSON Web Token at the end of a sentence', `a ‹${jwt}›. It is old`],
    ['two tokens in a row', `‹${github}› ‹${github}›`],
  ]);
});

describe('separators', () => {
  expectRedacted(
    [
      '===>',
      '==>',
      '=>',
      '===',
      '==',
      ':=',
      '?=',
      '=',
      ':',
      '：',
      '＝',
      '-->',
      '->',
      '<-',
      '~>',
      '→',
      '»',
    ].map((sign) => [`a password behind ${sign}`, `password ${sign} ‹${p}›`] as const),
  );
  expectRedacted([
    ['dots', `Password ....: ‹${p}›`],
    ['columns of values', `password                : ‹${p}›`],
    ['not three dots', 'password ... wait for it'],
    ['not a state behind an arrow', 'token -> expired'],
    ['not an object behind an arrow', 'secret -> shop-db'],
    ['not the next field of an empty one of Go', '{Host:db Password: SSLMode:disable}'],
    ['a value with a colon in it', `Password: ‹Ab1:${q}›`],
    ['not an ARN', 'arn:aws:secretsmanager:eu-west-1:1:secret:shop-db'],
    ['not a checksum of a secret', `checksum/secret: ${hexadecimal(64)}`],
    ['not the line of a class', 'com.example.TokenStore:42'],
  ]);
});

describe('the text that programs write around a value', () => {
  expectRedacted([
    ['Rust: Some', `password: Some(\n        "‹${p}›",\n    ),`],
    ['Rust: a struct with one field', `password: Secret { inner: "‹${p}›" }`],
    ['Python: SecretStr', `password=SecretStr('‹${p}›')`],
    ['gdb: a pointer', `password = 0x55d1c8a0 "‹${p}›"`],
    ['not the address of an object', '#<Token:0x000055d1c8a0 @ttl=1>'],
    ['PHP: a protected property', `["password":protected]=>\n  string(16) "‹${p}›"`],
    ['PowerShell', `$x.Password = ConvertTo-SecureString "‹${p}›" -AsPlainText`],
    ['XML: an attribute names the element', `<entry key="smtp.password">‹${p}›</entry>`],
    ['XML: a value inside', `<property name="secretKey"><value>‹${random}›</value></property>`],
    ['not a harmless entry', `<entry key="smtp.user">${p}</entry>`],
    ['a call', `setPassword("‹${p}›")`],
    ['SQL: a function', `SET PASSWORD FOR app = PASSWORD('‹${p}›')`],
    ['not a call with a name', 'getPassword("smtp")'],
    ['several values in a line', 'recovery codes: ‹4f2a-91bc›, ‹7d3e-55a0›'],
    ['not a list of counts', 'input_tokens: 1024, output_tokens: 88'],
    ['not a list of names', 'Lexer(tokens=[IDENT, ASSIGN, NUMBER])'],
    ['not the tag of a template', 'password: !Ref DbPassword'],
  ]);
});

it('hides a private property of a class in a dump of PHP', () => {
  expect(redact(`["password":"App\\Db":private]=>\n  string(16) "${p}"`)).not.toContain(p);
});

describe('the source of a value', () => {
  it.each([
    'password = var.db_password',
    'password = local.db_password',
    'password = env("DB_PASSWORD")',
    'password: process.env.DB_PASSWORD,',
    'password=os.environ["DB_PASSWORD"]',
    "password = os.getenv('DB_PASSWORD')",
    'password: ${{ secrets.DB_PASSWORD }}',
    'password: ${env.DB_PASSWORD}',
  ])('is kept: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  expectRedacted([
    ['a password that begins like it', `password = ‹variable.${p}›`],
    ['a password with signs of no program', `password = ‹var.${p}›`],
  ]);
});

describe('secrets in lines of their own', () => {
  expectRedacted([
    ['below a heading', `Generated root password\n‹${q}›`],
    ['below a heading and a rule', `Generated root password\n-----------\n‹${q}›`],
    ['below a heading and an empty line', `API token:\n\n‹${random}›`],
    ['not below a sentence', `the password, it seems\n${q}`],
    ['not a sentence below a heading', `Password\n${q} is wrong`],
    ['not the line behind it', `Password\nis below\n${q}`],
    ['not below another heading', `User\n${q}`],
    ['not below a long line', `${'very '.repeat(20)}old password\n${q}`],
  ]);
});

describe('directives and accounts of servers', () => {
  expectRedacted([
    ['LDAP', `bindpw ‹${q}›`],
    ['OpenLDAP, in columns', `rootpw    ‹${q}›`],
    ['HAProxy, behind a user', `  user app insecure-password ‹${q}›`],
    ['with a semicolon', `auth_pass ‹${q}›;`],
    ['not a word of prose', 'auth_pass required'],
    ['not a name with two dashes', `the one--password ${q}`],
    ['HAProxy: stats', `stats auth admin:‹${q}›`],
    ['not a user without a password', 'stats auth admin'],
    ['Redis: an access list', `user app on >‹${q}› ~* +@all`],
    ['Redis: a command', `ACL SETUSER app on >‹${q}›`],
    ['not a file behind >', `user app >${q}`],
    ['Cassandra', `credentials 'ops' '‹${q}›'`],
    ['SNMP', `snmp-server community ‹${q}› RW`],
    ['not the community of people', `our community ${q}`],
    ['Postfix', `[smtp.example.com]:587 mailer:‹${q}›`],
    ['not an address behind brackets', '[smtp.example.com]:587 mq:5672'],
    ['credentials with a slash', `Admin credentials: admin / ‹${q}›`],
    ['a login with a slash', `login with kim/‹${q}›.`],
    ['Oracle', `sqlplus app/‹${q}›@shop`],
    ['not a path behind it', 'login shop/db-credentials'],
    ['before its word', `use ‹${q}› as the password`],
    ['before its word, in quotes', `use "‹${q}›" as the new password`],
    ['not a word of prose before it', 'use it as the password'],
  ]);
});

describe('sentences', () => {
  expectRedacted([
    ['for a user', `password for app is ‹${q}›`],
    ['for a user, with more words', `password is generated for root@localhost: ‹${q}›`],
    ['in Russian', `пароль от базы: ‹${q}›`],
    ['an adjective behind the noun', `mot de passe provisoire : ‹${q}›`],
    ['in Spanish', `clave de acceso: ‹${q}›`],
    ['not with other words between', `password policies apply to ${q}`],
    ['in Korean, at the end of a run', `관리자비밀번호는 ‹${q}› 입니다`],
    ['a token for something', `The secret for web is "‹${random}›"`],
    ['with a dash', `password - ‹${q}›`],
  ]);
});

describe('hashes of passwords', () => {
  const hash = mixed(32);
  expectRedacted([
    ['crypt', `app:‹$6$salt$${hash}›`],
    ['not a hash too short', 'app:$6$salt$abc'],
    ['LDAP', `x ‹{SSHA}${hash}› y`],
    ['Django', `x ‹pbkdf2_sha256$260000$${hash}› y`],
    ['Werkzeug', `x ‹scrypt:32768:8:1$salt$${hash}› y`],
    ['not scrypt with its cost only', 'scrypt:cost-parameters-of-the-function'],
    ['PostgreSQL', `x ‹SCRAM-SHA-256$4096:${hash}› y`],
    ['PostgreSQL with MD5', `x ‹md5${hexadecimal(32)}› y`],
    ['not a longer word', `x md5${hexadecimal(33)} y`],
    ['not a part of a word', `x-md5${hexadecimal(32)} y`],
    ['MySQL', `x ‹*${hexadecimal(40).toUpperCase()}› y`],
    ['not in lower case', `x *${hexadecimal(40)} y`],
  ]);
});

describe('private keys and Secrets', () => {
  const line = mixed(64);
  expectRedacted([
    ['not a sentence about a key', 'found -----BEGIN PRIVATE KEY----- abc in the log'],
    ['a short line at the end of a body', `x\n‹${line}›\n‹${line}›\ny`],
    ['not one wide line', `x\n${mixed(64).toLowerCase()}\ny`],
    ['an empty line in the data', 'kind: Secret\ndata:\n  a: ‹eHl6›\n\n  b: ‹YWJj›\nother: x'],
    ['not the data of a ConfigMap', 'kind: ConfigMap\ndata:\n  a: eHl6'],
    ['not a kind that begins like it', 'kind: SecretStore\ndata:\n  a: eHl6'],
    ['several entries in JSON', '{"data":{"a":"‹eHl6›", "b":"‹YWJj›"},"kind":"Secret"}'],
    ['Go: a name behind a log prefix', `2026-11-20 09:30:00 password: |\n2026-11-20 09:30:00   ‹${q}›`],
    ['a line of .pgpass', `db:5432:shop:app:‹${q}›`],
    ['not five parts with signs', 'a:1:b:c d:e'],
    ['not five parts with other signs', 'a:1:b:(c):e'],
  ]);
});

describe('headers', () => {
  expectRedacted([
    ['a scheme', `Authorization: Token ‹${q}›`],
    ['any other value', `Authorization: ‹${q}›`],
    ['not a name without a value', 'the Authorization header'],
    ['not a short value', 'Authorization: abc'],
    ['not a place for one', 'Authorization: Bearer <token>'],
    ['parameters', 'Authorization: Digest ‹username="a", response="b1"›'],
    ['not a scheme alone', 'Authorization: Negotiate'],
    ['not a challenge', 'WWW-Authenticate: Bearer realm="x"'],
    ['a bare scheme', `sent Bearer ‹${random}›`],
    ['not seven characters', 'sent Bearer abc1234'],
  ]);
});
