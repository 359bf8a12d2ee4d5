import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from '#src/doctor/redaction/redact.js';
import { untrusted } from '#src/doctor/redaction/untrusted.js';
import { base64, tokens } from './canaries.js';

const alphabet = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const symbols = '!@#%^*_-+.~?';

function run(chars: string, minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...chars), minLength, maxLength });
}

/**
 * A password as people choose it: letters of both cases, digits and symbols, nothing that a shell or YAML
 * would split.
 */
const canary = fc
  .tuple(
    run(alphabet, 3, 12),
    run(alphabet + symbols, 0, 12),
    run('ABCDEFGH', 1, 2),
    run('23456789', 2, 4),
    run(alphabet, 3, 8),
  )
  .map((parts) => parts.join(''));

const names = fc.constantFrom(
  'DB_PASSWORD',
  'PGPASSWORD',
  'password',
  'dbPassword',
  'api_key',
  'apiKey',
  'client-secret',
  'GITHUB_TOKEN',
  'spring.datasource.password',
  'x-api-key',
  'AWS_SECRET_ACCESS_KEY',
  'passphrase',
);

/** Every form that carries any password. */
const forms: readonly (readonly [string, (name: string, secret: string) => string])[] = [
  ['name=value', (name, secret) => `${name}=${secret}`],
  ['name: value', (name, secret) => `${name}: ${secret}`],
  ['name="value"', (name, secret) => `${name}="${secret}"`],
  ["name='value'", (name, secret) => `${name}='${secret}'`],
  ['JSON', (name, secret) => JSON.stringify({ a: 1, [name]: secret, z: 'x' })],
  ['JSON in JSON', (name, secret) => JSON.stringify({ body: JSON.stringify({ [name]: secret, z: 'x' }) })],
  [
    'JSON in JSON in JSON',
    (name, secret) => JSON.stringify(JSON.stringify(JSON.stringify({ [name]: secret }))),
  ],
  ['YAML', (name, secret) => `a:\n  ${name}: ${secret}\n  z: x`],
  ['YAML with quotes', (name, secret) => `a:\n  ${name}: "${secret}"\n  z: x`],
  ['name => value', (name, secret) => `{:${name}=>"${secret}"}`],
  ['a flag', (name, secret) => `/app --${name} ${secret} --port 80`],
  ['a flag with equals', (name, secret) => `/app --${name}=${secret} --port 80`],
  ['a list of arguments', (name, secret) => JSON.stringify(['/app', `--${name}`, secret])],
  ['a query', (name, secret) => `GET /x?a=1&${name}=${encodeURIComponent(secret)}&b=2`],
  ['a connection string', (name, secret) => `Server=db;${name}=${secret};Timeout=5`],
  ['name and value', (name, secret) => JSON.stringify({ env: [{ name, value: secret }] })],
  ['name and value in YAML', (name, secret) => `- name: ${name}\n  value: ${secret}`],
  ['an element', (name, secret) => `<${name}>${secret}</${name}>`],
  ['a URL', (_, secret) => `postgres://app:${secret}@db:5432/shop`],
  ['a URL without user', (_, secret) => `redis://:${secret}@cache:6379`],
  ['a MySQL DSN', (_, secret) => `app:${secret}@tcp(db:3306)/shop`],
  ['basic authorization', (_, secret) => `Authorization: Basic ${base64(`app:${secret}`)} ${''}`],
  ['bearer authorization', (_, secret) => `authorization: Bearer ${secret}`],
  ['a cookie', (_, secret) => `Cookie: a=b; session=${secret}; z=x`],
  ['a Secret in YAML', (name, secret) => `data:\n  ${name}: ${base64(secret)}\n  z: eA==\nkind: Secret`],
  ['a Secret in JSON', (_, secret) => JSON.stringify({ data: { any: base64(secret) }, kind: 'Secret' })],
  ['curl -u', (_, secret) => `curl -u app:${secret} https://x/`],
  ['IDENTIFIED BY', (_, secret) => `ALTER USER app IDENTIFIED BY '${secret}'`],
];

/**
 * Text that may come before and after: words, numbers, quotes that never close, brackets, escapes, other
 * lines.
 */
const noise = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'the',
        'pod',
        'failed',
        '{',
        '}',
        '"',
        "'",
        '[',
        ']',
        '(',
        '\\',
        '\\n',
        '=',
        ':',
        'a=b',
        'x:',
        '://',
        '@',
        ';',
        '&',
      ),
      fc.constantFrom(
        '\n',
        '\t',
        '\u001b[31m',
        '-----BEGIN',
        'kind:',
        'password',
        'token',
        '[redacted',
        '[redacted token]',
        'é',
        '\u{1f600}',
      ),
      fc.string({ maxLength: 8 }),
    ),
    { maxLength: 8 },
  )
  .map((words) => words.join(' '));

const lineOfNoise = noise.map((text) => text.replace(/[\n\r]/gu, ' '));

function isRemoved(result: string, secret: string): boolean {
  return ![secret, encodeURIComponent(secret), base64(secret), base64(`app:${secret}`)].some((form) =>
    result.includes(form),
  );
}

describe('a canary secret in random text', () => {
  it.each(forms)('never survives as %s', (_, write) => {
    fc.assert(
      fc.property(names, canary, noise, lineOfNoise, (name, secret, before, after) => {
        const text = `${before}\n${write(name, secret)}\n${after}`;
        expect(isRemoved(redact(text), secret)).toBe(true);
        expect(isRemoved(untrusted(text, 2_000), secret)).toBe(true);
      }),
      { numRuns: 150, seed: 6 },
    );
  });

  it.each(forms)('never survives as %s within a line', (_, write) => {
    fc.assert(
      fc.property(names, canary, run(`${alphabet} .,:=()`, 0, 30), (name, secret, before) => {
        expect(isRemoved(redact(`${before} ${write(name, secret)}`), secret)).toBe(true);
      }),
      { numRuns: 100, seed: 7 },
    );
  });

  it('never survives in the shape of a token', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tokens), noise, noise, ([, token], before, after) => {
        expect(redact(`${before} ${token} ${after}`)).not.toContain(token);
      }),
      { numRuns: 400, seed: 8 },
    );
  });
});

describe('random text', () => {
  const pieces = fc.array(
    fc.oneof(
      noise,
      fc
        .tuple(fc.constantFrom(...forms), names, canary)
        .map(([[, write], name, secret]) => write(name, secret)),
    ),
    {
      maxLength: 6,
    },
  );
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    pieces.map((texts) => texts.join(' ')),
    pieces.map((texts) => texts.join('')),
  );

  it.each([
    'password : [redacted the',
    'DB_PASSWORD=aaaA22aaa Authorization: Basic YXBwOmFhYUEyMmFhYQ== ',
    'tokenAuthorization: Basic YXBwOmFhYUEyMmFhYQ== ',
  ])('is unchanged by a second redaction: %j', (text) => {
    expect(redact(redact(text))).toBe(redact(text));
  });

  it('is unchanged by a second redaction', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const redactedText = redact(text);
        expect(redact(redactedText)).toBe(redactedText);
      }),
      { numRuns: 1_500, seed: 9 },
    );
  });

  it('keeps its lines', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(redact(text).split('\n')).toHaveLength(text.split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/u).length);
      }),
      { numRuns: 500, seed: 10 },
    );
  });
});
