import { describe } from 'vitest';
import { base64, hexadecimal, mixed } from './canaries.js';
import { itRedacts, type Row } from './redacted.js';

const q = ['Tr0ub4', 'dor3x'].join('');
const begin = (label: string): string => ['-----BEGIN ', label, '-----'].join('');
const end = (label: string): string => ['-----END ', label, '-----'].join('');
const key = 'PRIVATE KEY';
const body = mixed(64);

describe('private keys', () => {
  const labels = [key, `RSA ${key}`, `OPENSSH ${key}`, `PGP ${key} BLOCK`, `ENCRYPTED ${key}`];
  const armour = [
    'Proc-Type: 4,ENCRYPTED',
    'DEK-Info: AES',
    'Version: 1',
    'Comment: x',
    'Hash: x',
    'Charset: x',
    'Encryption: none',
    'Public-Lines: 6',
    'Private-Lines: 14',
    'Key-Derivation: x',
    'Argon2-Memory: 8',
    '  Version:x',
  ];
  itRedacts('private key', [
    ...labels.map((label): Row => [`a\n‹${begin(label)}›\n‹${body}›\n‹abcd==›\n‹${end(label)}›\nb`]),
    ...labels.map((label): Row => [`a ‹${begin(label)}${body}${end(label)}› b`]),
    ...labels.map((label): Row => [`a ‹${begin(label)}\\n${body}\\n${end(label)}› b`]),
    ...armour.map(
      (line): Row => [`‹${begin(key)}›\n${line.replace(/\S.*/u, '‹$&›')}\n\n‹${body}›\n‹${end(key)}›`],
    ),
    [`‹${begin(key)}›\n‹${body}›\nand a sentence\n${body}`],
    [`‹${begin(key)}›\n‹${body}›\n‹=AbCd›\n‹${end(key)}›`],
    [`‹${begin(key)}›\n‹2026-11-20 ${body}›\n‹x ${end(key)}› b`],
    [`${begin(key)}\nand a sentence`],
    [`‹${body}›\n‹${end(key)}›\nb`],
    [`x\n‹a|${body}›\n‹"${body}\\n",›\n‹${end(key)}›\nb`],
    [`${begin('CERTIFICATE')}\n${body}\n${body}\n${end('CERTIFICATE')}`],
    [`${begin('PUBLIC KEY')}\n${body}\n${body}\n${end('PUBLIC KEY')}\n‹${body}›\n‹${body}›`],
    [`${begin('CERTIFICATE')}\n${body}\n‹${begin(key)}›\n‹${body}›\n‹${end(key)}›`],
    [`--- BEGIN ${key} and text`],
    [`BEGIN ${key}\n‹${body}›\nend`, 'key'],
    [
      `‹---- BEGIN SSH2 ENCRYPTED ${key} ----›\n‹Comment: x›\n‹${body}›\n‹---- END SSH2 ENCRYPTED ${key} ----›`,
    ],
    [
      `‹PuTTY-User-Key-File-3: ssh-rsa›\n‹Encryption: none›\n‹Private-Lines: 1›\n‹${body}›\n‹Private-MAC: ${hexadecimal(64)}›\nx`,
    ],
    [`‹PuTTY-User-Key-File-2:ssh-rsa›\n‹${body}›\n‹Private-MAC:${hexadecimal(64)}›\nx`],
    [`x\n‹${body}›\n‹${body}›\ny`],
    [`x\n‹${mixed(70)}›\n‹${mixed(70)}›\ny`],
    [`x\n‹${mixed(76)}›\n‹${mixed(76)}›\n‹${mixed(76)}›\ny`],
    [`x\n${mixed(65)}\n${mixed(65)}\ny`],
    [`x\n${body}\ny\n${body}`],
    [`x\n‹${body}›  \n‹${body}›\t\ny`],
    [`‹${begin(key)}${body}${end(key)}›\n${body}\nb`],
  ]);
});

describe('hashes of passwords', () => {
  const crypt =
    '1 2a 2b 2x 2y 2 5 6 7 y gy sha1 md5 apr1 argon2id argon2i argon2d scrypt bcrypt-sha256 P H S pbkdf2 pbkdf2-sha1 pbkdf2-sha256 pbkdf2-sha384 pbkdf2-sha512'.split(
      ' ',
    );
  const ldap =
    'SSHA SHA SMD5 MD5 CRYPT SSHA256 SSHA512 SHA256 SHA512 bcrypt argon2 PBKDF2 PBKDF2-SHA1 PBKDF2-SHA256 PBKDF2-SHA384 PBKDF2-SHA512'.split(
      ' ',
    );
  const django = 'pbkdf2_sha1 pbkdf2_sha256 pbkdf2_sha512 bcrypt_sha256 argon2 scrypt'.split(' ');
  itRedacts('password', [
    ...crypt.map((name): Row => [`x ‹$${name}$ab=1,./+_-$${mixed(16)}› y`]),
    ...ldap.map((name): Row => [`x ‹{${name}}a./+_-$=${mixed(16)}› y`]),
    ...django.map((name): Row => [`x ‹${name}$12$a./+_=,-${mixed(16)}› y`]),
    ...['1', '256', '512'].map((name): Row => [`x ‹SCRAM-SHA-${name}$4096:a./+_=-${mixed(16)}› y`]),
    ...['pbkdf2', 'scrypt'].map((name): Row => [`x ‹${name}:1:a$./+_=-${mixed(16)}› y`]),
    [`x ‹$6$${'a'.repeat(16)}› y`],
    [`x $6$${'a'.repeat(15)} y`],
    [`x $8$${'a'.repeat(20)} y`],
    [`x {XSHA${mixed(20)} y`],
    [`x pbkdf2:${'a'.repeat(20)} y`],
    [`x ‹md5${hexadecimal(32)}› y`],
    [`x md5${hexadecimal(31)} y`],
    [`x ‹*${hexadecimal(40).toUpperCase()}› y`],
    [`x **${hexadecimal(40).toUpperCase()} y`],
    [`x *${hexadecimal(39).toUpperCase()} y`],
    [`x ‹${mixed(40)}› y`, 'key'],
    [`x ‹${mixed(38)}+/› y`, 'key'],
    [`x ${mixed(39)} y`],
    [`x ${mixed(41)} y`],
    [`x ${mixed(39)}_ y`],
    [`x ${mixed(40)}= y`],
    [`x ${hexadecimal(40)} y`],
  ]);
});

describe('base64', () => {
  const wide = Buffer.from(`password=${q}`, 'utf16le').toString('base64');
  itRedacts('encoded secret', [
    [`x ‹${base64(`password=${q}`)}› y`],
    [`x ‹${base64(`password=${q}`).replace(/=+$/u, '')}› y`],
    [`x ‹${wide}› y`],
    [`x ‹${base64(`password=${q}~~~???`).replaceAll('+', '-').replaceAll('/', '_')}› y`],
    [`x ${base64('host=shop, port=5432')} y`],
    [`x ‹${base64('pwd=abc12345')}› y`],
    [`x ${base64('pwd=abc1')} y`],
    [`x ‹LS0tLS1CRUdJTi${mixed(8)}+/=› y ‹LS0tLS1CRUdJTiAB› z`],
    ['x ‹LS0tLS1CRUdJTi› y'],
    ['x LS0tLS1CRUdJT y'],
    [`‹LS0tLS1CRUdJTi${mixed(8)}› y`],
  ]);
});

describe('escapes', () => {
  itRedacts('password', [
    [`x=password%3D‹${q}›`],
    [`x=password%3d‹${q}›`],
    [`x=password%253D‹${q}›`],
    [`x=password%25253D‹${q}›`],
    [`x=password%2525253D${q}`],
    [`\\u0070assword=‹${q}›`],
    [`\\x70assword=‹${q}›`],
    [`{\\u0022password\\u0022:\\u0022‹${q}›\\u0022}`],
    [`password\\u003d‹${q}›`],
    [`password\\x3D‹${q}›`],
    [`password&#61;‹${q}›`],
    [`password&#x3d;‹${q}›`],
    [`password&#X3D;‹${q}›`],
    [`password&#0061;‹${q}›`],
    [`password=‹&quot;two words&quot›; x`],
    [`password=‹&apos;two words&apos›; x`],
    [`password=‹&#34;two words&#34›; x`],
    [`&lt;password&gt;‹two words›&lt;/password&gt;`],
    [`a=1&amp;password=‹${q}›&amp;b=2`],
    [`m%6ft de passe: ‹${q}›`],
    [`contrase%C3%B1a=‹${q}›`],
    [`%EB%B9%84%EB%B0%80%EB%B2%88%ED%98%B8=‹${q}›`],

    [`x%0Apassword%3D‹${q}›%0Ay`],
    [`x%09password%3D‹${q}›`],
    [`x\\tpassword=‹${q}›`],
    [`Root password\\n‹${q}›`],
    [`Root password\\r‹${q}›`],
    [`password\\t‹${q}›`],
    [`x\\rpassword=‹${q}\\rb›`],
  ]);
});

describe('Secrets of Kubernetes', () => {
  itRedacts('secret', [
    [`kind: Secret\ndata:\n  a: ‹eHl6›\n  b.c-d: ‹YWJj›\ntype: x`],
    [`kind: "Secret"\nstringData:\n  "a": ‹"xyz"›\n  'b':   ‹abc d›`],
    [`"kind" : 'Secret'\ndata:   \n  a: ‹eHl6›`],
    [`- kind: Secret\n  data:\n    a: ‹eHl6›\n  type: x`],
    [`kind: Secret\ndata:\n  a: |\n    ‹two words›\n    more: ‹words›\n  b: >-2\n    ‹x›`],
    [`kind: Secret\ndata:\n  a:   |\n    ‹two words›`],
    [`kind: Secret\ndata:\n  a:\n  b: ‹YWJj›`],
    [`kind: Secret\n\tdata:\n\t\ta: ‹eHl6›\n\tb: x`],
    [`kind: Secret\ndata: x\n  a: eHl6`],
    [`kind: Secret\nmetadata:\n  a: eHl6`],
    [`mykind: Secret\ndata:\n  a: eHl6`],
    [`kind: Secrets\ndata:\n  a: eHl6`],
    [`kind of Secret\ndata:\n  a: eHl6`],
    [`{"kind":"Secret","data":{"a":"‹eHl6›","b.c-d":"‹YWJj›"},"x":{"y":"z"}}`],
    [`{"kind" : "Secret", "stringData" : { "a" : "‹eHl6›" , "b":"‹YWJj›" } }`],
    [`{\\"kind\\":\\"Secret\\",\\"data\\":{\\"a\\":\\"‹eHl6›\\",\\"b\\":\\"‹YWJj›\\"}}`],
    [`{"kind":"Secret","data":{},"x":{"a":"eHl6"}}`],
    [`{"kind":"Secret","data":{"a":""}}`],
    [`{"kind":"ConfigMap","data":{"a":"eHl6"}}`],
  ]);
});

describe('accounts of servers', () => {
  itRedacts('password', [
    [`credentials "app" "‹${q}›"`],
    [`credentials app '${q}'`],
    [`credentials 'app' ${q}`],
    [`user app on >‹${q}›`],
    [`setuser app on nopass ~* +@all &x >${q}`],
    [`setuser app on nopass ~* +@all >‹${q}›`],
    [`user app off >${q}`],
    [`app on >${q}`],
    [`snmpd community ‹${q}›`],
    [`other community ${q}`],
    [`stats auth app:‹${q}›`],
    [`other auth app:${q}`],
    [`stats auth :‹${q}›`, 'credentials'],
    [`stats auth ${'a'.repeat(63)}:‹${q}›`],
    [`stats auth ${'a'.repeat(64)}:${q}`],
    [`[shop]:25 app:‹${q}›\nx`],
    [`[shop app:${q}`],
    [`[shop]:25 app:${q} x`],
    [`stats auth app:qwertyuiop`],
  ]);
});
