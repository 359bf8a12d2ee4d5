import type { SecretKind } from './span.js';

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
  ['password', '비밀번호 패스워드 암호 비번 密码 密碼 口令 パスワード 暗証番号 รหัสผ่าน'],
  ['token', '토큰 令牌 權杖 トークン'],
  ['secret', '시크릿 シークレット'],
  ['key', '비밀키 개인키 인증키 접근키 액세스키 보안키 api키 시크릿키 密钥 密鑰 金鑰 私钥 秘密鍵 秘密键'],
];

const kindOfName: ReadonlyMap<string, SecretKind> = new Map(
  names.flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind] as const)),
);
const kindOfRun: readonly (readonly [string, SecretKind])[] = runs.flatMap(([kind, words]) =>
  words.split(' ').map((word) => [word, kind] as const),
);

/** Korean particles behind a noun. */
const particle = /(?<=\p{Script=Hangul}{2})[은는이가을를의]$/u;

/** The word without what Korean writes behind a foreign one: `v1.27.3부터`, `${DB_PASSWORD}입니다`. */
export function withoutEnding(word: string): string {
  return /^([!-~]{1,256}?)(?:\([이으]\))?\p{Script=Hangul}{1,12}[.,!?]?$/u.exec(word)?.[1] ?? word;
}

/** The kind of secret that one word of a name stands for in another language than English. */
export function foreignKindOf(word: string): SecretKind | undefined {
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
