import { type Alphabet, alphabet } from './entropy.js';
import { issuedPrefixes } from './issued-prefixes.js';
import type { SecretKind } from './span.js';
import { type PrefixedToken, prefixedTokens } from './token-prefixes.js';

/** Characters of one alphabet, as many as there are. */
export type Run = { readonly alphabet: Alphabet; readonly min: number; readonly max: number };

/** One of several texts, or a run. */
export type Part = readonly string[] | Run;

/**
 * The parts of a token, in their order. Only the last run may have no most: a failed attempt then costs a
 * bounded number of steps.
 */
export interface Form {
  /** `undefined`: it looks like a token and is none. */
  readonly kind: SecretKind | undefined;
  readonly parts: readonly Part[];
  /** What may follow, several times: the parts of a JSON Web Token. */
  readonly tail?: { readonly parts: readonly Part[]; readonly most: number };
  /** The character before the first one is none of these. */
  readonly notBehind?: Alphabet;
  /** The character behind the last one is none of these. */
  readonly notBefore?: Alphabet;
  /** One of its characters is one of these. */
  readonly holds?: Alphabet;
  /** What follows the first part must look drawn by a machine. */
  readonly machineMade?: boolean;
}

const digits = alphabet('0-9');
const lower = alphabet('a-z');
const hex = alphabet('a-f0-9');
const capitals = alphabet('A-Z0-9');
const alnum = alphabet('A-Za-z0-9');
const dashed = alphabet('A-Za-z0-9_-');

function run(of: Alphabet, min: number, max = Number.POSITIVE_INFINITY): Run {
  return { alphabet: of, min, max };
}

function exactly(of: Alphabet, count: number): Run {
  return run(of, count, count);
}

function texts(list: string): readonly string[] {
  return list.split(' ');
}

function form(kind: SecretKind | undefined, ...parts: readonly Part[]): Form {
  return { kind, parts };
}

const discord =
  'discord.com/api/ discordapp.com/api/ canary.discord.com/api/ canary.discordapp.com/api/ ptb.discord.com/api/ ptb.discordapp.com/api/';

/** Tokens with more than a prefix and one run, by issuer. */
const composed: readonly Form[] = Object.values({
  Amazon: [
    { ...form('key', texts('AKIA ASIA ABIA ACCA'), exactly(capitals, 16)), notBefore: capitals },
    { ...form('key', ['A3T'], exactly(capitals, 17)), notBefore: capitals },
  ],
  Scaleway: [{ ...form('key', ['SCW'], exactly(capitals, 17)), notBefore: capitals }],
  'npm digests': [form(undefined, ['sha512-'], exactly(alphabet('A-Za-z0-9+/'), 86), ['=='])],
  'Azure storage and Cosmos DB, 64 bytes': [
    { ...form('key', exactly(alphabet('A-Za-z0-9+/'), 86), ['==']), notBehind: alphabet('+/') },
  ],
  'Microsoft Entra': [
    form(
      'token',
      exactly(alphabet('A-Za-z0-9_~.'), 3),
      exactly(digits, 1),
      ['Q~'],
      run(alphabet('A-Za-z0-9_~.-'), 28, 40),
    ),
  ],
  'Azure, keys that can be identified, also those of Azure DevOps': [
    { ...form('key', exactly(alnum, 52), ['JQQJ9'], run(alnum, 20)), notBehind: alphabet('+/') },
  ],
  'Azure DevOps': [{ ...form('token', exactly(alnum, 76), ['AZDO'], exactly(alnum, 4)), notBefore: alnum }],
  ngrok: [{ ...form('token', ['2'], exactly(alnum, 26), ['_'], exactly(alnum, 21)), machineMade: true }],
  Slack: [
    form('token', ['xox'], exactly(lower, 1), ['.xox'], exactly(lower, 1), ['-'], run(dashed, 8)),
    form('token', ['xox'], exactly(lower, 1), ['-'], run(dashed, 8)),
    form('token', ['xapp-'], run(digits, 1, 2), ['-'], run(dashed, 8)),
  ],
  Discord: [
    form('token', texts(discord), ['webhooks/'], run(digits, 8, 24), ['/'], run(dashed, 16)),
    form(
      'token',
      texts(discord),
      ['v'],
      run(digits, 1, 2),
      ['/webhooks/'],
      run(digits, 8, 24),
      ['/'],
      run(dashed, 16),
    ),
  ],
  Telegram: [
    form('token', run(digits, 8, 16), [':A'], run(dashed, 33)),
    // In the path of its API.
    form('token', ['bot'], run(digits, 8, 16), [':A'], run(dashed, 33)),
  ],
  'Vault before 1.10': [{ ...form('token', ['s.'], exactly(alnum, 24)), notBefore: dashed, holds: digits }],
  Infisical: [
    form('token', ['st.'], run(alphabet('a-f0-9-'), 24, 36), ['.'], run(hex, 16, 64), ['.'], run(hex, 16)),
  ],
  Modal: [{ ...form('token', ['as-'], exactly(alnum, 22)), notBefore: dashed, machineMade: true }],
  'codes of Google': [form('token', ['4/0A'], run(dashed, 30))],
  'Terraform Cloud': [form('token', exactly(alnum, 14), ['.atlasv1.'], run(alphabet('A-Za-z0-9_=-'), 16))],
  Cloudflare: [form('token', ['v1.0-'], exactly(hex, 24), ['-'], run(hex, 30))],
  Tailscale: [form('token', ['tskey-'], run(lower, 2, 10), ['-'], run(alphabet('A-Za-z0-9-'), 10))],
  Confluent: [{ ...form('key', ['4b1d'], exactly(alnum, 38)), notBefore: alnum }],
  Dynatrace: [
    form('token', ['dt0'], exactly(lower, 1), exactly(digits, 2), ['.'], run(alphabet('A-Za-z0-9.'), 20)),
  ],
  SendGrid: [form('key', ['SG.'], run(dashed, 12, 64), ['.'], run(dashed, 12))],
  Brevo: [form('key', ['xkeysib-'], run(hex, 20, 128), ['-'], run(alnum, 8))],
  Postman: [form('key', ['PMAK-'], run(hex, 20, 64), ['-'], run(hex, 20))],
  '1Password': [form('key', ['A3-'], exactly(capitals, 6), ['-'], run(alphabet('A-Z0-9-'), 20))],
  MaxMind: [form('key', exactly(alnum, 6), ['_'], exactly(alnum, 29), ['_mmk'])],
  Airtable: [form('token', ['pat'], exactly(alnum, 14), ['.'], run(hex, 30))],
  Harness: [
    form(
      'token',
      texts('pat. sat.'),
      exactly(dashed, 22),
      ['.'],
      exactly(alnum, 24),
      ['.'],
      exactly(alnum, 20),
    ),
  ],
  Authress: [
    form(
      'token',
      texts('sc_ ext_ scauth_ authress_'),
      run(alnum, 5, 30),
      ['.'],
      run(alnum, 4, 6),
      texts('.acc_ .acc-'),
      run(alphabet('A-Za-z0-9_.+/=-'), 30),
    ),
  ],
  Meta: [form('token', run(digits, 15, 16), texts('| %7C'), run(dashed, 27, 40))],
  'New Relic licenses': [{ ...form('key', exactly(hex, 36), ['FFFFNRAL']), notBefore: alnum }],
  Mailchimp: [{ ...form('token', exactly(hex, 32), ['-us'], run(digits, 1, 2)), notBefore: dashed }],
  'JSON Web Token, or other JSON in base64url, cut off or not (RFC 7519)': [
    { ...form('token', ['eyJ'], run(dashed, 12)), tail: { parts: [['.'], run(dashed, 1, 4096)], most: 4 } },
  ],
}).flat();

/** Beginnings of which a table states more than that a random run follows. */
export const knownPrefixes: ReadonlySet<string> = new Set([
  ...composed.flatMap(({ parts: [first = []] }) => ('alphabet' in first ? [] : first)),
  ...prefixedTokens.flatMap(({ prefixes }) => prefixes),
]);

function isNew({ prefixes }: PrefixedToken): boolean {
  return !prefixes.some((each) => knownPrefixes.has(each));
}

/** Every form, the more exact ones first. */
export const tokenForms: readonly Form[] = [
  ...composed,
  ...[...prefixedTokens, ...issuedPrefixes.filter(isNew)].map(
    ({ kind, prefixes, machineMade = false, ...rest }): Form => ({
      ...form(kind, prefixes, rest),
      machineMade,
    }),
  ),
];
