import { foreignKindOf } from './foreign-names.js';
import type { SecretKind } from './span.js';

/**
 * What a name says about its value: `DB_PASSWORD`, `clientSecret`, `tls.key`, `x-api-key` hold a secret and
 * of which kind; `passwordFile`, `secretKeyRef`, `token_type`, `topologyKey` do not. `undefined`: nothing
 * secret by its name.
 */
export function secretKindOf(name: string): SecretKind | undefined {
  if (sourceFile.test(name)) return undefined;
  const words = withoutVariant(wordsOf(name).flatMap((word) => word.replace(/\d{1,4}$/u, '') || []));
  const last = words.at(-1);
  if (last === undefined) return undefined;
  if (/^(?:secret|vault)$/u.test(words.at(-2) ?? '') && last === 'id') return 'secret';
  if (last === 'id' && words.at(-2) === 'session') return 'cookie';
  if (harmlessEnd.has(last) || words.some((word) => harmlessQualifier.has(word))) return undefined;
  const isOfPages = words.some((word) => pageQualifier.has(word));
  for (const [kind, pattern] of telling) {
    if (words.some((word) => pattern.test(word)) && !(isOfPages && kind === 'token')) return kind;
  }
  if (isOfPages) return undefined;
  if (words.some((word, i) => /^keys?$/u.test(word) && i > 0 && keyQualifier.has(words[i - 1] ?? '')))
    return 'key';
  if (last === 'pass' && words.length > 1) return 'password';
  if (last === 'pat' && words.length > 1) return 'token';
  if (last === 'auth' && isEnvironmentStyle(name)) return 'credentials';
  if (last === 'key' && isEnvironmentStyle(name) && !plainKey.has(words.at(-2) ?? '')) return 'key';
  return wholeNames.get(words.join('')) ?? foreignKindOf(last) ?? phrases.get(last) ?? phraseKind(words);
}

/** `TokenFilter.java` of a stack trace, whose line follows. */
const sourceFile =
  /\.(?:java|kts?|scala|groovy|clj|go|py|rb|rs|php|cs|fs|vb|swift|exs?|erl|lua|pl|c|cc|cpp|h|hpp|[cm]?[jt]sx?|vue|svelte|dart|sql|sh|ya?ml|jsonc?|toml|xml|html?|md|class|jar)$/iu;

/**
 * Words at the end that state which one it is of several: `DB_PASS_RO`, `GITLAB_PAT_CI_BOT`, `JWT_SECRET_V2`.
 */
function withoutVariant(words: readonly string[]): readonly string[] {
  let end = words.length;
  while (end > 1 && end > words.length - maxVariant && variants.has(words[end - 1] ?? '')) end -= 1;
  return words.slice(0, end);
}

const maxVariant = 3;
const variants = new Set(
  'ro rw readonly readwrite read write primary secondary replica master slave leader follower old new prev previous current next legacy backup fallback default prod production stage staging dev test qa uat live sandbox ci cd bot app admin root user eu us ap asia west east north south central blue green internal external local shared v temp tmp'.split(
    ' ',
  ),
);

/** The last words of a name of several words: `secret access key`, `mot de passe`. */
function phraseKind(words: readonly string[]): SecretKind | undefined {
  for (let count = Math.min(4, words.length); count > 1; count -= 1) {
    const phrase = words.slice(-count).join('');
    const kind = foreignKindOf(phrase) ?? phrases.get(phrase);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** Names of several words, joined, that no word of theirs tells; also written as one word. */
const phrases: ReadonlyMap<string, SecretKind> = new Map([
  ...'apikey accesskey secretkey privatekey sharedkey signingkey encryptionkey accountkey masterkey authkey unsealkey'
    .split(' ')
    .map((phrase) => [phrase, 'key'] as const),
  ...'passphrase passcode password seedphrase recoveryphrase recoverycode recoverycodes backupcode backupcodes'
    .split(' ')
    .map((phrase) => [phrase, 'password'] as const),
]);

/** Whether words before a separator, with spaces between them, are the name of a secret as a whole. */
export function secretKindOfPhrase(text: string): SecretKind | undefined {
  const words = wordsOf(text).filter((word) => !/^\d{1,4}$/u.test(word));
  const noun = adjectives.has(words.at(-1) ?? '') ? words.slice(0, -1) : words;
  return (
    phraseKind(words) ?? phraseKind(noun) ?? (noun === words ? undefined : foreignKindOf(noun.at(-1) ?? ''))
  );
}

/** Stand behind the noun in French, Spanish, Portuguese and Italian: `mot de passe provisoire`. */
const adjectives = new Set(
  'provisoire temporaire nouveau actuel temporal nueva nuevo actual provisional provisorio temporária temporaria nova novo atual temporanea nuova'.split(
    ' ',
  ),
);

/**
 * The words of a name in any of the usual spellings, lower case: `DB_PASSWORD`, `dbPassword`, `db.password`,
 * `db-password`.
 */
export function wordsOf(name: string): readonly string[] {
  return name
    .normalize('NFC')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** `AWS_SECRET_ACCESS_KEY`: how environment variables are written. */
export function isEnvironmentStyle(name: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/u.test(name) && /_[A-Z0-9]/u.test(name) && !/__|_$/u.test(name);
}

/**
 * Words that tell a secret wherever they stand, alone or at the end of a compound written without separator.
 */
const telling: readonly (readonly [SecretKind, RegExp])[] = [
  [
    'password',
    /(?:password|passwords|passwd|passwds|passphrase|passphrases|passcode|pass?wrd|pswd|passwort|passwörter)$/u,
  ],
  [
    'password',
    /^(?:pwds?|(?!by|com|tres|under|sur|over|encom|im)[a-z]{2,20}pass|[a-z]{0,20}pw|psw|psk|otp|totp)$/u,
  ],
  ['key', /(?:api|secret|access|private|auth|encryption|signing|master)keys?$/u],
  ['token', /(?:token|tokens|jwt)$/u],
  ['secret', /(?:secrets?|mnemonic|pepper)$/u],
  ['credentials', /^(?:credentials?|creds?|dockerconfigjson|dockercfg)$/u],
];

/** What makes a `key` one that must not be shown. */
const keyQualifier = new Set(
  'api app application access account admin auth authentication aes client cookie consumer crypto deploy dkim encryption enc hmac host preshared unseal ingest integration jwt license licence master oauth pgp private rsa sas secret server service session shared sign signing ssh ssl storage tls user webhook write'.split(
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
  'arn command cmd name names spec file files path paths dir directory folder id ids ref refs reference selector type types kind count counts total length len size ttl expiry expires expired expiration expiring lifetime url uri urls endpoint host port issuer audience policy policies min max limit limits enabled disabled required optional rotation version namespace mode store provider manager class mount mounts volume volumes projection field fields header headers format attempts retries timeout seconds minutes hours ms age usage used left remaining algorithm alg method strength complexity prompt stdin changed created updated at review request requests scope scopes status state error errors failure failures valid invalid exists present rate bucket budget per average scheme location source hint label index handler service controller filter encoder decoder validator hasher factory repository interceptor exception resolver helper util utils generator reset policies rule rules config configuration properties settings interval period grace audiences count counter requests issuer refresher cache signer verifier parser template impl bean listener converter serializer'.split(
    ' ',
  ),
);

/** Tokens of pages and of language models. A password or a secret has none of them. */
const pageQualifier = new Set('next page continue continuation eos bos pad unk sep cls'.split(' '));

/** Words that make it another thing: numbers of tokens, public keys, settings. */
const harmlessQualifier = new Set(
  'per max total min public publishable cancel cancellation unexpected prompt completion automount has is no skip use uses existing allow require requires missing invalid'.split(
    ' ',
  ),
);

/** Names that are one only as a whole. */
const wholeNames: ReadonlyMap<string, SecretKind> = new Map([
  ['pass', 'password'],
  ['passe', 'password'],
  ['clave', 'password'],
  ['pin', 'password'],
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
  ['npmauthident', 'credentials'],
  ['sid', 'cookie'],
  ['session', 'cookie'],
  ['sessionid', 'cookie'],
  ['gitlabsession', 'cookie'],
  ['connectsid', 'cookie'],
  ['jsessionid', 'cookie'],
  ['csrf', 'token'],
  ['xsrf', 'token'],
  ['phpsessid', 'cookie'],
  ['sessioncookie', 'cookie'],
  ['clientkeydata', 'private key'],
  ['keydata', 'private key'],
]);
