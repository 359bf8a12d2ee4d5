import { describe, expect, it } from 'vitest';
import { nearNames } from '#src/doctor/redaction/evidence.js';
import { encoded } from '#src/doctor/redaction/headers.js';
import { privateKeys } from '#src/doctor/redaction/private-keys.js';
import { secretManifests } from '#src/doctor/redaction/secret-manifests.js';
import type { Detector } from '#src/doctor/redaction/span.js';
import { base64, hexadecimal, keyLines, mixed, password as p } from './canaries.js';
import { expectTaken, itTakes, type Marked } from './marked.js';

const begin = (kind = 'RSA ') => `-----BEGIN ${kind}PRIVATE KEY-----`;
const end = (kind = 'RSA ') => `-----END ${kind}PRIVATE KEY-----`;
const [first = '', second = ''] = keyLines;
const block = (...lines: readonly string[]) => lines.map((line) => `‹${line}›`).join('\n');
const armour = (kind: string, edge: string) => `-----${edge} ${kind}-----`;

describe('a private key is removed, and the lines around it are kept:', () => {
  itTakes(privateKeys, 'private key', [
    ['in PEM', `before\n${block(begin(), ...keyLines, end())}\nafter`],
    ...['', 'EC ', 'DSA ', 'OPENSSH ', 'ENCRYPTED '].map(
      (kind): Marked => [`of the kind ${kind}`, `before\n${block(begin(kind), first, end(kind))}\nafter`],
    ),
    [
      'in SSH2',
      `before\n${block('---- BEGIN SSH2 PRIVATE KEY ----', first, '---- END SSH2 PRIVATE KEY ----')}\nafter`,
    ],
    [
      'in PGP',
      `before\n${block(armour('PGP PRIVATE KEY BLOCK', 'BEGIN'), first, '=a1B2', armour('PGP PRIVATE KEY BLOCK', 'END'))}\nafter`,
    ],
    [
      'in PGP, with a header and an empty line',
      `${block(armour('PGP PRIVATE KEY BLOCK', 'BEGIN'), 'Version: GnuPG v2')}\n\n${block(first, '=a1B2', armour('PGP PRIVATE KEY BLOCK', 'END'))}\nafter`,
    ],
    [
      'in PuTTY',
      `before\n${block('PuTTY-User-Key-File-3: ssh-ed25519', 'Encryption: none', 'Comment: web', 'Private-Lines: 1', first, `Private-MAC: ${hexadecimal(40)}`)}\nafter`,
    ],
    [
      'in PuTTY, cut off',
      `before\n${block('PuTTY-User-Key-File-3: ssh-ed25519', 'Encryption: none', 'Comment: web', 'Private-Lines: 1', first)}`,
    ],
    ['not of the word that PuTTY begins with', `PuTTY-User-Key-File-3: ssh-ed25519\nis how they begin`],
    [
      'encrypted',
      `${block(begin(), 'Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-256-CBC,00')}\n\n${block(...keyLines, end())}\nafter`,
    ],
    ['with a last line that is short', `${block(begin(), first, 'abcd==', end())}\nafter`],
    ['indented', `key: |\n  ‹${begin()}›\n  ‹${first}›\n  ‹${end()}›\nafter: x`],
    ['cut off at its end', `before\n${block(begin(), first, second)}`],
    ['cut off before other text', `${block(begin(), first, second)}\nand then a line of words`],
    ['cut off at its start', `${block(first, second, end())}\nafter`],
    ['cut off at its start, behind other text', `before it\n${block(first, second, end())}\nafter`],
    ['cut off at both ends', `before it\n${block(second, second)}\nand after`],
    ['in one line', `key "‹${[begin(), ...keyLines, end()].join('\\n')}›" loaded`],
    ['in one line with escapes in escapes', `key "‹${[begin(), ...keyLines, end()].join('\\\\n')}›" loaded`],
    ['in one line with spaces', `key ‹${[begin(), ...keyLines, end()].join(' ')}› loaded`],
    ['in one line, cut off', `key ‹${begin()}\\n${first}›`],
    ['two in one line', `a "‹${begin()}\\n${first}\\n${end()}›" b "‹${begin()}\\n${second}\\n${end()}›" c`],
    [
      'two below each other',
      `${block(begin(), first, end())}\nbetween them\n${block(begin(), second, end())}`,
    ],
    [
      'behind a certificate',
      `${armour('CERTIFICATE', 'BEGIN')}\n${second}\n${armour('CERTIFICATE', 'END')}\n${block(begin(), first, end())}`,
    ],
    [
      'before a certificate',
      `${block(begin(), first, end())}\n${armour('CERTIFICATE', 'BEGIN')}\n${second}\n${second}\n${armour('CERTIFICATE', 'END')}`,
    ],
    [
      'behind a certificate that is cut off',
      `${armour('CERTIFICATE', 'BEGIN')}\n${second}\n${block(begin(), first, end())}`,
    ],
    [
      'not of a certificate',
      `${armour('CERTIFICATE', 'BEGIN')}\n${second}\n${second}\n${second}\n${armour('CERTIFICATE', 'END')}`,
    ],
    [
      'not of a public key',
      `${armour('PUBLIC KEY', 'BEGIN')}\n${second}\n${second}\n${armour('PUBLIC KEY', 'END')}`,
    ],
    [
      'not of a certificate in one line',
      `${armour('CERTIFICATE', 'BEGIN')} ${second} ${armour('CERTIFICATE', 'END')}\n${second}`,
    ],
    ['not of a sentence about a key', `no "${begin()}" in it\nand more words`],
    ['not of a header that nothing follows', `${begin()}\nand more words`],
    ['not of a header behind which an empty line stands', `${begin()}\n\nand more words`],
    ['not of one line as wide as a key', `before\n${second}\nafter`],
    ['not of lines that are not as wide as a key writes them', `${mixed(50)}\n${mixed(50)}`],
    ['not of wide lines of small letters', `${'a'.repeat(64)}\n${'b'.repeat(64)}`],
    ['not of wide lines without digits', `${'aB'.repeat(32)}\n${'bA'.repeat(32)}`],
    ['not of digests', `${hexadecimal(64)}\n${hexadecimal(64)}`],
  ]);

  it.each([64, 70, 76])('as wide as %i characters, without head or foot', (width) => {
    const line = mixed(width);
    expectTaken(privateKeys, `a\n‹${line}›\n‹${line}›\nb`, 'private key');
  });
});

describe('the values of a Secret are removed, and its keys are kept:', () => {
  const value = base64(p);
  itTakes(secretManifests, 'secret', [
    [
      'in YAML',
      `apiVersion: v1\ndata:\n  DB: ‹${value}›\n  other.conf: ‹eA==›\nkind: Secret\nmetadata:\n  name: db`,
    ],
    ['in YAML, in quotes', `kind: "Secret"\nstringData:\n  "DB": ‹"${p}"›\ntype: Opaque`],
    [
      'in a block',
      `kind: Secret\nstringData:\n  conf: |\n    ‹first ${p}›\n    second: ‹line›\n\n  a: ‹b c›\ntype: Opaque`,
    ],
    ['in a folded block', `kind: Secret\nstringData:\n  conf: >-\n    ‹first ${p}›\ntype: Opaque`],
    [
      'in a list',
      `items:\n- kind: Secret\n  data:\n    DB: ‹${value}›\n  type: Opaque\n- kind: Pod\n  spec: x`,
    ],
    ['in JSON', `{"kind":"Secret","data":{"a":"‹b›","DB":"‹${value}›"},"type":"Opaque"}`],
    [
      'in JSON over lines',
      `{\n "kind": "Secret",\n "data": {\n  "a": "‹b›",\n  "DB": "‹${value}›"\n },\n "type": "x"\n}`,
    ],
    ['in an annotation', String.raw`{\"kind\":\"Secret\",\"data\":{\"DB\":\"‹${value}›\"},\"type\":\"x\"}`],
    ['but none of a ConfigMap', `kind: ConfigMap\ndata:\n  a: b\n  DB: ${value}`],
    ['but none of a ConfigMap in JSON', `{"kind":"ConfigMap","data":{"a":"b"}}`],
    [
      'in a block that looks like a pair',
      'kind: Secret\nstringData:\n  conf: |\n    ‹host:port›\ntype: Opaque',
    ],
    ['but none where another field ends so', 'subkind: Secret\ndata:\n  a: b'],
    ['but none of a SecretProviderClass', 'kind: SecretProviderClass\ndata:\n  a: b'],
    ['but no placeholder', 'kind: Secret\nstringData:\n  a: "…"\n  b: "…"   # from your secret store'],
    ['but none without a value', 'kind: Secret\ndata:\n  a:\n  b: ‹x›'],
    ['but no text in the place of its data', 'kind: Secret\ndata: none at all\nmetadata:\n  name: db'],
  ]);
});

describe('base64 that contains a secret is removed:', () => {
  const password: Detector = (text) => {
    const start = text.indexOf(p);
    return start < 0 ? [] : [{ start, end: start + p.length, kind: 'password' }];
  };
  const hidden = base64(`user app, password ${p}`);
  itTakes((veiled) => encoded(veiled, [password]), 'encoded secret', [
    ['one that is found in it', `payload ‹${hidden}› sent`],
    ['without its filling', `payload ‹${hidden.replace(/=+$/u, '')}› sent`],
    ['two of them', `‹${hidden}› and ‹${hidden}›`],
    ['the start of a PEM block', `loaded ‹${base64(`${begin()}\n${first}`)}› twice`],
    ['not where none is found', `payload ${base64('nothing to see in this one')} sent`],
    ['not a digest', `sha256:${hexadecimal(64)}`],
  ]);
});

describe('random text beside a telltale word is removed:', () => {
  const random = mixed(24);
  itTakes(nearNames, 'token', [
    ...(
      [
        ['password', 'password'],
        ['passwd', 'password'],
        ['passphrase', 'password'],
        ['secret', 'secret'],
        ['token', 'token'],
        ['tokens', 'token'],
        ['api key', 'key'],
        ['api-key', 'key'],
        ['access key', 'key'],
        ['key', 'key'],
        ['credential', 'secret'],
        ['credentials', 'secret'],
        ['session', 'cookie'],
        ['cookie', 'cookie'],
        ['jwt', 'token'],
      ] as const
    ).map(([word, kind]): Marked => [word, `the ${word} ‹${random}› is wrong`, kind]),
    ...['is', 'was', 'of', 'with', 'value', 'id', 'using', 'for', 'used', '=', ':', 'was:', 'is:'].map(
      (between): Marked => [`with ${between} between them`, `the token ${between} "‹${random}›" fails`],
    ),
    ['not beside the end of another word', `the monkey ${random} is wrong`],
    ['also words further', `the token for a ‹${random}› is wrong`],
    ['not behind the name of an id', `the token of request ${random} is wrong`],
    ['not behind seven words', `the token a b c d e f g ${random} is wrong`],
    ['not a path', `the token /${random} is wrong`],
    ['not a uid', 'the session 3f1c2b4a-5d6e-4f70-8a91-b2c3d4e5f607 is over'],
    ['not a word', 'the token kubernetes-service-account is wrong'],
    ['a short one that mixes letters and digits', `the token ‹${'aB3dE6gH9jK2mN5'}› is wrong`],
  ]);

  it('and is kept in other places', () => {
    expect(nearNames(`build ${random} of commit ${hexadecimal(40)}`)).toEqual([]);
  });
});
