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
  if (last === 'verifier' && words.at(-2) === 'code') return 'token';
  if (timeSign.has(last) && timeVerb.has(words.at(-2) ?? '')) return undefined;
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
  if (words.length > 1 && keyMaterial.has(last)) return 'secret';
  if (last === 'auth' && isEnvironmentStyle(name)) return 'credentials';
  if (last === 'key' && isEnvironmentStyle(name) && !plainKey.has(words.at(-2) ?? '')) return 'key';
  return wholeNames.get(words.join('')) ?? foreignKindOf(last) ?? phrases.get(last) ?? phraseKind(words);
}

/**
 * What keys are made of or kept in, behind the word that says whose they are: `COOKIE_SALT`, `WEBHOOK_HMAC`.
 */
const keyMaterial = new Set('salt hmac keyring keypass keyphrase'.split(' '));

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
  ...'apikey accesskey secretkey privatekey sharedkey signingkey encryptionkey accountkey masterkey authkey unsealkey artapi'
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
  const named = text.replace(ofValue, '');
  if (named !== text && /^[\w.-]+$/u.test(named)) return secretKindOf(named);
  return (
    phraseKind(words) ?? phraseKind(noun) ?? (noun === words ? undefined : foreignKindOf(noun.at(-1) ?? ''))
  );
}

/** What people write behind the name of a variable: `DB_PASSWORD 환경 변수 값`, `DB_PASSWORD value`. */
const ofValue =
  /(?: (?:환경 ?변수|변수|설정|항목)(?:의|에)?)?(?: 값)?[은는이가]?$|(?: (?:environment|env))?(?: (?:variable|var))?(?: value)?$/u;

/**
 * Stand behind the noun in French, Spanish, Portuguese, Italian and Korean: `mot de passe provisoire`, `비밀번호
 * 확인`.
 */
const adjectives = new Set(
  'provisoire temporaire nouveau actuel temporal nueva nuevo actual provisional provisorio temporária temporaria nova novo atual temporanea nuova 확인 재확인 입력 재입력'.split(
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
    /(?:password|passwords|passwd|passwds|passphrase|passphrases|passcode|authtok|pass?wrd|pswd|passwort|passwörter)$/u,
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
  'arn command cmd name names spec file files path paths dir directory folder id ids ref refs reference selector type types kind count counts total length len size ttl expiry expires expired expiration expiring lifetime url uri urls endpoint host port issuer audience policy policies min max limit limits enabled disabled required optional rotation version namespace mode store provider manager class mount mounts volume volumes projection field fields header headers format attempts retries timeout seconds minutes hours ms age usage used left remaining algorithm alg method strength complexity prompt stdin changed created updated at review request requests scope scopes status state error errors failure failures valid invalid exists present rate bucket budget per average scheme location source hint label index handler service controller filter encoder decoder validator hasher hashers factory repository interceptor exception resolver helper util utils generator reset policies rule rules config configuration properties settings interval period grace audiences count counter requests issuer refresher cache signer verifier parser template impl bean listener converter serializer encryption hashing history quality validation verification recovery leeway skew validity duration delay window threshold'.split(
    ' ',
  ),
);

/** `JWT_EXPIRES_IN`, `secretRotatesAfter`: a time. */
const timeSign = new Set('in on after'.split(' '));
const timeVerb = new Set('expire expires expired rotate rotates rotated refresh refreshes valid'.split(' '));

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
  ['devicecode', 'token'],
  ['authorizationcode', 'token'],
  ['clientassertion', 'token'],
  ['samlresponse', 'token'],
  ['clientkeydata', 'private key'],
  ['keydata', 'private key'],
]);

/**
 * Names of secrets in other languages than English, lower case, NFC. Scripts without spaces between words
 * (Korean, Chinese, Japanese, Thai) also match at the end of a longer run: `관리자비밀번호`.
 */
const names: readonly (readonly [SecretKind, string])[] = [
  // German, Dutch, Swedish, Danish, Norwegian, Finnish, Estonian
  ['password', 'passwort kennwort losungswort zugangscode wachtwoord lösenord losenord adgangskode kodeord'],
  ['password', 'passord salasana salasõna'],
  ['secret', 'geheimnis geheimschlüssel'],
  // Spanish, French, Portuguese, Italian, Romanian
  [
    'password',
    'contraseña contrasena contrasenya clavedeacceso motdepasse mdp senha palavrapasse parolachiave parola',
  ],
  ['secret', 'clavesecreta clésecrète clesecrete chavesecreta'],
  ['key', 'claveprivada cléprivée cleprivee chaveprivada'],
  ['token', 'jeton'],
  // Polish, Czech, Slovak, Slovenian, Croatian, Hungarian, Lithuanian, Russian, Ukrainian, Bulgarian, Greek
  ['password', 'hasło haslo heslo geslo lozinka zaporka jelszó jelszo slaptažodis slaptazodis пароль парола'],
  ['password', 'συνθηματικό κωδικόςπρόσβασης'],
  ['secret', 'секрет'],
  ['token', 'токен'],
  // Turkish, Vietnamese, Indonesian, Hebrew, Arabic, Hindi
  ['password', 'şifre sifre mậtkhẩu matkhau katasandi סיסמה סיסמא كلمةالمرور كلمةالسر पासवर्ड'],
];

const runs: readonly (readonly [SecretKind, string])[] = [
  [
    'password',
    '비밀번호 패스워드 암호 암호문 암호문구 암호구 복구코드 백업코드 비번 密码 密碼 口令 パスワード 暗証番号 รหัสผ่าน',
  ],
  ['token', '토큰 令牌 權杖 トークン'],
  ['secret', '시크릿 비밀 비밀값 シークレット'],
  [
    'key',
    '비밀키 개인키 암호화키 복호화키 서명키 마스터키 대칭키 인증키 접근키 액세스키 보안키 세션키 접속키 공유키 연결키 연동키 발급키 등록키 api키 시크릿키 密钥 密鑰 金鑰 私钥 秘密鍵 秘密键',
  ],
];

const kindOfName: ReadonlyMap<string, SecretKind> = new Map(
  names.flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind] as const)),
);
const kindOfRun: readonly (readonly [string, SecretKind])[] = runs.flatMap(([kind, words]) =>
  words.split(' ').map((word) => [word, kind] as const),
);

/** Korean particles and verbs behind a noun. */
const particle = /(?<=\p{Script=Hangul})(?:[은는이가을를의]|입니다|이었습니다|였습니다|이에요|예요)$/u;

/** The word without what Korean writes behind a foreign one: `v1.27.3부터`, `${DB_PASSWORD}입니다`. */
export function withoutEnding(word: string): string {
  return /^([!-~]{1,256}?)(?:\([이으]\))?\p{Script=Hangul}{1,12}[.,!?]?$/u.exec(word)?.[1] ?? word;
}

/** The kind of secret that one word of a name stands for in another language than English. */
function foreignKindOf(word: string): SecretKind | undefined {
  const known = kindOfName.get(word);
  if (known !== undefined || isAscii.test(word)) return known;
  const bare = word.replace(particle, '');
  for (const spelled of [word, bare, bare.replace(/값$/u, '')]) {
    const run = kindOfRun.find(([ending]) => spelled.endsWith(ending));
    if (run !== undefined) return run[1];
  }
  return undefined;
}

const isAscii = /^[\p{ASCII}]*$/u;

/** Names of passwords, to be looked for in sentences. */
export const foreignPasswords: readonly string[] = [...names, ...runs]
  .filter(([kind]) => kind === 'password')
  .flatMap(([, words]) => words.split(' '))
  .filter((word) => word !== 'mdp' && word !== 'parola');
