import { describe } from 'vitest';
import type { SecretKind } from '#src/doctor/redaction/span.js';
import { itRedacts, type Row } from './redacted.js';

const q = ['Tr0ub4', 'dor3x'].join('');

const takes = (kind: SecretKind, names: string): Row[] =>
  names.split(' ').map((name) => [`x ${name}="‹${q}›"`, kind]);
const keeps = (names: string): Row[] => names.split(' ').map((name) => [`x ${name}="${q}"`]);

describe('the name of a secret', () => {
  itRedacts('password', [
    ...takes('password', 'password passwords passwd passwds passphrase passphrases passcode passwrd paswrd'),
    ...takes(
      'password',
      'pswd passwort passwörter dbpassword my_passwd pwd pwds dbpass userpass psw psk otp totp pw',
    ),
    ...takes(
      'password',
      'rootpw adminpw db_pass DB_PASS pass passe clave pin identifiedby masterauth requirepass',
    ),
    ...takes(
      'password',
      'password1 password1234 pwd2 seedphrase recovery_phrase recoveryCode backup-code backupcodes',
    ),
    ...takes('key', 'apikey api_keys access-key private_key authkey encryptionKey signing_key masterkeys'),
    ...takes('key', 'sharedkey accountkey unsealkey shared_key account-key unsealKey SHOP_KEY X1_Y_KEY'),
    ...takes(
      'token',
      'token tokens jwt accessToken github_token sig signature csrf xsrf x-amz-signature XGoogSignature',
    ),
    ...takes('secret', 'secret secrets secretKey clientSecret mnemonic pepper secret_id vaultId'),
    ...takes('credentials', 'credential credentials cred creds dockerconfigjson dockercfg SHOP_AUTH auth'),
    ...takes('credentials', 'x-amz-credential XGoogCredential'),
    ...takes('cookie', 'session_id sid session sessionid _gitlab_session connect.sid JSESSIONID PHPSESSID'),
    ...takes('cookie', 'sessioncookie'),
    ...takes('token', 'code_verifier device_code authorizationCode client-assertion SAMLResponse'),
    ...takes('password', 'ldap_default_authtok'),
    ...takes('private key', 'clientkeydata keydata'),
    ...takes(
      'password',
      'passwort kennwort losungswort zugangscode wachtwoord lösenord losenord adgangskode kodeord',
    ),
    ...takes(
      'password',
      'passord salasana salasõna contraseña contrasena contrasenya claveDeAcceso mot_de_passe mdp',
    ),
    ...takes(
      'password',
      'senha palavraPasse parola_chiave parola hasło haslo heslo geslo lozinka zaporka jelszó',
    ),
    ...takes(
      'password',
      'jelszo slaptažodis slaptazodis пароль парола συνθηματικό şifre sifre matkhau kata_sandi',
    ),
    ...takes(
      'password',
      'סיסמה סיסמא पासवर्ड 비밀번호 관리자패스워드 암호 비번 密码 密碼 口令 パスワード 暗証番号 รหัสผ่าน',
    ),
    ...takes('password', '비밀번호는 비밀번호은 비밀번호이 비밀번호가 비밀번호을 비밀번호를 비밀번호의'),
    ...takes('secret', 'geheimnis geheimschlüssel clave_secreta cléSecrète clesecrete chave_secreta секрет'),
    ...takes('secret', '시크릿 シークレット'),
    ...takes(
      'key',
      'clavePrivada cléPrivée cleprivee chavePrivada 비밀키 개인키 인증키 접근키 액세스키 보안키 api키',
    ),
    ...takes('key', '시크릿키 密钥 密鑰 金鑰 私钥 秘密鍵 秘密键'),
    ...takes('token', 'jeton токен 토큰 令牌 權杖 トークン'),
    ...keeps(
      'mdpx xmdp парольx xпароль sekret passing bypass compass trespass underpass surpass overpass impass',
    ),
    ...keeps(
      'encompass password12345 pinx xpin keyed monkey SHOP_AUTHS Shop_Auth SHOPKEY SHOP__KEY key id _ 123',
    ),
    ...keeps('user_id vault secretid 암 xsid'),
  ]);
});

describe('keys and what qualifies them', () => {
  const qualifiers =
    'api app application access account admin auth authentication aes client cookie consumer crypto deploy dkim encryption enc hmac host preshared unseal ingest integration license licence master oauth pgp private rsa sas server service session shared sign signing ssh ssl storage tls user webhook write'.split(
      ' ',
    );
  const plain =
    'public primary foreign partition sort routing cache label annotation topology map hash group lookup object index row shard registry config search message event idempotency dedup lock rate metric field column natural composite unique'.split(
      ' ',
    );
  itRedacts('key', [
    ...qualifiers.map((word): Row => [`x my.${word}.key="‹${q}›"`]),
    ...qualifiers.map((word): Row => [`x my.${word}.keys.one="‹${q}›"`]),
    ...plain.map((word): Row => [`x my.${word}.key="${q}"`]),
    ...plain.map((word): Row => [`x SHOP_${word.toUpperCase()}_KEY="${q}"`]),
  ]);
});

describe('a name about a secret', () => {
  const ends =
    'arn command cmd name names spec file files path paths dir directory folder id ids ref refs reference selector type types kind count counts total length len size ttl expiry expires expired expiration expiring lifetime url uri urls endpoint host port issuer audience policy policies min max limit limits enabled disabled required optional rotation version namespace mode store provider manager class mount mounts volume volumes projection field fields header headers format attempts retries timeout seconds minutes hours ms age usage used left remaining algorithm alg method strength complexity prompt stdin changed created updated at review request requests scope scopes status state error errors failure failures valid invalid exists present rate bucket budget per average scheme location source hint label index handler service controller filter encoder decoder validator factory repository interceptor exception resolver helper util utils generator reset rule rules config configuration properties settings interval period grace audiences counter refresher cache signer verifier parser template impl bean listener converter serializer'.split(
      ' ',
    );
  const qualifiers =
    'max total min public publishable next page continue continuation cancel cancellation unexpected eos bos pad unk sep cls prompt completion automount has is no skip use uses existing allow require requires missing invalid'.split(
      ' ',
    );
  const extensions =
    'java kt kts scala groovy clj go py rb rs php cs fs vb swift ex exs erl lua pl c cc cpp h hpp js ts jsx tsx mjs cjs mts cts vue svelte dart sql sh yml yaml json jsonc toml xml htm html md class jar'.split(
      ' ',
    );
  itRedacts('token', [
    ...ends.map((end): Row => [`x token_${end}="${q}"`]),
    ...qualifiers.map((word): Row => [`x ${word}_token="${q}"`]),
    ...extensions.map((extension): Row => [`x my.token.${extension}="${q}"`]),
    [`x my.token.JAVA="${q}"`],
    [`x my.java.token="‹${q}›"`],
    [`x java_token="‹${q}›"`],
  ]);
});

describe('a name of several words', () => {
  itRedacts('password', [
    [`my pass phrase: ‹${q}›`],
    [`recovery code: ‹${q}›`],
    [`the secret access key: ‹${q}›`, 'key'],
    [`mot de passe: ‹${q}›`],
    [`mot de passe provisoire: ‹${q}›`],
    [`contraseña temporal: ‹${q}›`],
    [`senha nova: ‹${q}›`],
    [`mot  de passe: ‹${q}›`],
    [`clave de acceso : ‹${q}›`],
    [`api key 2: ‹${q}›`, 'key'],
    [`"my password" : "‹${q}›"`],
    [`'password'   =   '‹${q}›'`],
    [`\`password\`: ‹${q}›`],
    [`*password*: ‹${q}›`],
    [`password${' '.repeat(40)}: ‹${q}›`],
    [`my-db.$password_1: ‹${q}›`],
    [`Password ......: ‹${q}›`],
    [`Password . . . ...: ‹${q}›`],
    [`"password"\n  : "‹${q}›"`],
    [`password\n  : "${q}"`],
    [`user name: ${q}`],
    [`pass the word: ${q}`],
  ]);
});
