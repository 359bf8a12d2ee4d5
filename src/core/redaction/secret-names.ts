import type { SecretKind } from './span.js';

/**
 * What a name says about its value: `DB_PASSWORD`, `clientSecret`, `tls.key`, `x-api-key` hold a secret and of which
 * kind; `passwordFile`, `secretKeyRef`, `token_type`, `topologyKey` do not. `undefined`: nothing secret by its name.
 */
export function secretKindOf(name: string): SecretKind | undefined {
  const words = wordsOf(name);
  const last = words.at(-1);
  if (last === undefined) return undefined;
  if (/^(?:secret|vault)$/u.test(words.at(-2) ?? '') && last === 'id') return 'secret';
  if (last === 'id' && words.at(-2) === 'session') return 'cookie';
  if (harmlessEnd.has(last) || words.some((word) => harmlessQualifier.has(word))) return undefined;
  for (const [kind, pattern] of telling) if (words.some((word) => pattern.test(word))) return kind;
  if (words.some((word, i) => /^keys?$/u.test(word) && i > 0 && keyQualifier.has(words[i - 1] ?? '')))
    return 'key';
  if (last === 'pass' && words.length > 1) return 'password';
  if (last === 'key' && isEnvironmentStyle(name) && !plainKey.has(words.at(-2) ?? '')) return 'key';
  return wholeNames.get(words.join(''));
}

/** The words of a name in any of the usual spellings, lower case: `DB_PASSWORD`, `dbPassword`, `db.password`, `db-password`. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/gu, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== '');
}

/** `AWS_SECRET_ACCESS_KEY`: how environment variables are written. */
export function isEnvironmentStyle(name: string): boolean {
  return /^[A-Z][A-Z0-9]{0,99}(?:_[A-Z0-9]{1,99}){1,50}$/u.test(name);
}

/** Words that tell a secret wherever they stand, alone or at the end of a compound written without separator. */
const telling: readonly (readonly [SecretKind, RegExp])[] = [
  ['password', /(?:password|passwords|passwd|passphrase|passcode)$/u],
  [
    'password',
    /^(?:pwd|(?:db|user|root|admin|smtp|mail|my|pg|ssh|http|proxy|login|require|userpg)pass|pw)$/u,
  ],
  ['key', /(?:api|secret|access|private|auth|encryption|signing|master)keys?$/u],
  ['token', /(?:token|jwt)$/u],
  ['secret', /(?:secret|mnemonic)$/u],
  ['credentials', /^(?:credentials?|creds?|dockerconfigjson|dockercfg)$/u],
];

/** What makes a `key` one that must not be shown. */
const keyQualifier = new Set(
  'api app application access account admin auth authentication aes client cookie consumer crypto deploy dkim encryption enc hmac host ingest integration jwt license licence master oauth pgp private rsa sas secret server service session shared sign signing ssh ssl storage tls user webhook write'.split(
    ' ',
  ),
);

/** In names of environment variables every other `…_KEY` is taken for a secret but these. */
const plainKey = new Set(
  'public primary foreign partition sort routing cache label annotation topology map hash group lookup object index row shard registry config search message event idempotency dedup lock rate metric field column natural composite unique'.split(
    ' ',
  ),
);

/** A name that ends so speaks about a secret and does not hold it. */
const harmlessEnd = new Set(
  'name names spec list lists file files path paths dir directory folder id ids ref refs reference selector type types kind count counts total length len size ttl expiry expires expired expiration expiring lifetime url uri urls endpoint host port issuer audience policy policies min max limit limits enabled disabled required optional rotation version namespace mode store provider manager class mount mounts volume volumes projection field fields header headers format attempts retries timeout seconds minutes hours ms age usage used left remaining algorithm alg method strength complexity prompt stdin changed created updated at review request requests scope scopes status state error errors failure failures valid invalid exists present rate bucket budget per average scheme location source hint label index handler service controller'.split(
    ' ',
  ),
);

/** Words that make it another thing: page tokens, tokens of a language model, public keys. */
const harmlessQualifier = new Set(
  'public publishable next page continue continuation cancel cancellation unexpected eos bos pad unk sep cls prompt completion automount has is no skip use uses allow require requires missing invalid'.split(
    ' ',
  ),
);

/** Names that are one only as a whole. */
const wholeNames: ReadonlyMap<string, SecretKind> = new Map([
  ['pass', 'password'],
  ['identifiedby', 'password'],
  ['masterauth', 'password'],
  ['requirepass', 'password'],
  ['sig', 'token'],
  ['xamzsignature', 'token'],
  ['xgoogsignature', 'token'],
  ['xamzcredential', 'credentials'],
  ['xgoogcredential', 'credentials'],
  ['signature', 'token'],
  ['auth', 'credentials'],
  ['sid', 'cookie'],
  ['session', 'cookie'],
  ['sessionid', 'cookie'],
  ['gitlabsession', 'cookie'],
  ['connectsid', 'cookie'],
  ['jsessionid', 'cookie'],
  ['phpsessid', 'cookie'],
  ['sessioncookie', 'cookie'],
  ['clientkeydata', 'private key'],
  ['keydata', 'private key'],
]);
