import { describe } from 'vitest';
import { mixed } from './canaries.js';
import { itRedacts, type Row } from './redacted.js';

const q = ['Tr0ub4', 'dor3x'].join('');
const r = ['k1Tten', 's9pur'].join('');
const random = mixed(28);

describe('a random run beside a telltale word', () => {
  itRedacts('secret', [
    [`a secret ‹${random}› b`],
    [`a secrets ‹${random}› b`],
    [`the SECRET is ‹${random}› b`],
    [`a secret "‹${random}›" b`],
    [`a secret '‹${random}›' b`],
    [`a secret (‹${random}›) b`],
    [`a secret \`‹${random}›\` b`],
    [`a secret <‹${random}›> b`],
    [`a secret of ‹${random}› b`],
    [`a secret was ‹${random}› b`],
    [`a secret value ‹${random}› b`],
    [`a secret id ‹${random}› b`],
    [`a secret using ‹${random}› b`],
    [`a secret used ‹${random}› b`],
    [`a secret with ‹${random}› b`],
    [`a secret for ‹${random}› b`],
    [`a secret for shop-web is ‹${random}› b`],
    [`a secret for shop-web was ‹${random}› b`],
    [`a secret for shop-web has ‹${random}› b`],
    [`a secret\n‹${random}›\nb`],
    [`a mysecret ‹${random}› b`],
    [`a secretly ${random} b`],
    [`a secret that ‹${random}› b`],
    [`a secret is that ‹${random}› b`],
    [`a secret at /${random} b`],
    [`a secret /${random} b`],
    [`a password ‹${random}› b`, 'password'],
    [`a passwd ‹${random}› b`, 'password'],
    [`a passphrase ‹${random}› b`, 'password'],
    [`a token ‹${random}› b`, 'token'],
    [`two tokens ‹${random}› b`, 'token'],
    [`a JWT ‹${random}› b`, 'token'],
    [`an api key ‹${random}› b`, 'key'],
    [`an api_key ‹${random}› b`, 'key'],
    [`an api-key ‹${random}› b`, 'key'],
    [`an apikey ‹${random}› b`, 'key'],
    [`an access key ‹${random}› b`, 'key'],
    [`an accesskey ‹${random}› b`, 'key'],
    [`a secret key ‹${random}› b`, 'key'],
    [`a secretkey ‹${random}› b`, 'key'],
    [`a key ‹${random}› b`, 'key'],
    [`the keys ‹${random}› b`, 'key'],
    [`a credential ‹${random}› b`, 'secret'],
    [`the credentials ‹${random}› b`, 'secret'],
    [`a session ‹${random}› b`, 'cookie'],
    [`a cookie ‹${random}› b`, 'cookie'],
    [`the cookies ‹${random}› b`, 'cookie'],
    [`a secret ‹ab_~.${random}-+/=› b`],
    [`checksum/secret ${random} b`],
    [`checksum-secret ‹${random}› b`],
  ]);
});

describe('a password in a sentence', () => {
  const names = [
    'password',
    'passwd',
    'passphrase',
    'passcode',
    'pwd',
    'pass phrase',
    'mot de passe',
    'palabra de paso',
    'PASSWORD',
    'Passwort',
    'contraseña',
    'hasło',
    'пароль',
    'şifre',
    '비밀번호',
  ];
  const verbs = '- – is was are now to as with ist lautet wurde auf es est sera é è'.split(' ');
  const particles = [...'은는이가을를是为為はが'];
  itRedacts('password', [
    ...names.map((name): Row => [`the ${name} is ‹${q}› now`]),
    ...verbs.map((verb): Row => [`password ${verb} ‹${q}› ok`]),
    ...particles.map((particle): Row => [`비밀번호${particle} ‹${q}› ok`]),
    ...particles.map((particle): Row => [`密码 ${particle} ‹${q}› ok`]),
    ...'set changed reset updated'.split(' ').map((verb): Row => [`password was ${verb} to ‹${q}› ok`]),
    ...'for of für von de del da do pour para от для'
      .split(' ')
      .map((word): Row => [`password ${word} app ‹${q}› ok`]),
    ...'is was generated created issued'
      .split(' ')
      .map((word): Row => [`password ${word} for app ‹${q}› ok`]),
    [`password ‹${q}› ok`],
    [`the password   ‹${q}›`],
    [`password (for the app) ‹${q}› ok`],
    [`password (new) is ‹${q}› ok`],
    [`password () is ‹${q}› ok`],
    [`password for user app is ‹${q}› ok`],
    [`password for the app is ‹${q}› ok`],
    [`password for user app: ‹${q}› ok`],
    [`password is being checked by ${q} ok`],
    [`password has been set to ‹${q}› ok`],
    [`password has been now set to ‹${q}› ok`],
    [`password has been now set to as ${q} ok`],
    [`the password == ‹${q}› ok`],
    [`password is: ‹${q}› ok`],
    [`password is "‹${q}›" ok`],
    [`password is '‹${q}›' ok`],
    [`password is \`‹${q}›\` ok`],
    [`password is (‹${q}›) ok`],
    [`password is «‹${q}›» ok`],
    [`password is “‹${q}›” ok`],
    [`password is 「‹${q}›」 ok`],
    [`password is ‹${q}›.`],
    [`password is ‹${q}›!?)`],
    [`password is ‹${q}›。`],
    [`the password is user=‹${q}›`],
    [`password is qwertyuiop ok`],
    [`password is ‹p@ssword› ok`],
    [`mypassword is ‹${q}›`],
    [`my_password is ‹${q}›`],
    [`my-password is ‹${q}›`],
    [`db.password is "‹correct›"`],
    [`db.password is correct`],
    [`Property 'app.password' bound to '‹correct horse›'`],
    [`PASSWORD_FILE is set to "/run/db"`],
    [`2password is ‹${q}›`],
    [`passwords are ‹${q}›`],
    [`새비밀번호는 ‹${q}›`],
    [`a비밀번호는 ‹${q}›`],
    [`비밀번호‹${q}›`],
  ]);
});

describe('a changed password', () => {
  itRedacts('password', [
    [`changed the password from ‹${q}› to ‹${r}› now`],
    [`changed the passwd from ‹${q}› to ‹${r}›`],
    [`changed the passphrase from ‹${q}› to ‹${r}›`],
    [`changed the pw from ‹${q}› to ‹${r}›`],
    [`changed the PW FROM ‹${q}› TO ‹${r}›`],
    [`changed the pw from ‹${q}› to blank`],
    [`changed the pw from blank to ‹${r}›`],
    [`changed the pw from ‹${q}› into ${r}`],
    [`changed the pw from ‹${q}›`],
    [`changed my-pw from ‹${q}› to ‹${r}›`],
    [`changed the pws from ${q} to ${r}`],
  ]);
});

describe('a word before `as the password`', () => {
  const owners = ['', 'the ', 'your ', 'a ', 'its '];
  const adjectives = ['', 'new ', 'root ', 'admin ', 'temporary '];
  itRedacts('password', [
    ...owners.map((owner): Row => [`use ‹${q}› as ${owner}password`]),
    ...adjectives.map((adjective): Row => [`use ‹${q}› as the ${adjective}passphrase`]),
    [`use ‹${q}› as pw`],
    [`use '‹${q}›' as the password`],
    [`use \`‹${q}›\` as the PASSWORD.`],
    [`‹${q}› as the password`],
    [`use ‹${q}› as the passwords`],
    [`use ${q} as the password-file`],
    [`use ${q} as some password`],
  ]);
});

describe('a password in quotes later in its clause', () => {
  itRedacts('password', [
    [`password auth for root with "‹${q}›" refused`],
    [`shared secret mismatch; configured '‹${q}›', client nas1`, 'secret'],
    [`passphrase check got \`‹${q}›\` instead`],
    [`password auth for root "${q}"`],
    [`password auth for "root" with "‹${q}›"`],
    [`password prompt set to "${q}"`],
    [`password rule of user with "lower3"`],
    [`password auth\nwith "${q}"`],
  ]);
});

describe('a key in capitals or in groups beside its word', () => {
  const inCapitals = ['JBSWY3DP', 'EHPK3PXP'].join('');
  const groups = ['ABCD1', 'EF2GH', '3IJK4'].join('-');
  itRedacts('key', [
    [`the key is ‹${inCapitals}›`],
    [`license key ‹${groups}› rejected`],
    ['the key is INTERNALSERVERERROR'],
    ['the key ABCD-EFGH-IJKL'],
    ['the key 1234-5678-9012'],
  ]);
  itRedacts('cookie', [[`erlang cookie is ‹${['XKQJZPWM', 'NBVTRLSD'].join('')}›, nodes share it`]]);
});

describe('user and password beside each other', () => {
  const announced = [
    'credential',
    'credentials',
    'creds',
    'login',
    'logon',
    'user/pass',

    'sqlplus',
    'connect',
    'Login',
  ];
  itRedacts('password', [
    ...announced.map((word): Row => [`${word} app/‹${q}› ok`]),
    ...'with as is are using'.split(' ').map((word): Row => [`login ${word} app/‹${q}› ok`]),
    [`login: app / ‹${q}› ok`],
    [`login = app/ ‹${q}› ok`],
    [`login app : ‹${q}› ok`],
    [`login   app.a-b@shop/‹${q}› ok`],
    [`login app/‹${q}›.`],
    [`login app/‹${q}›)."`],
    [`login app/‹${q}›@shop`],
    [`login app ${q}`],
    [`login on app/${q}`],
    [`my-login app/${q}`],
    [`logins app/${q}`],
    [`login-page app/${q}`],
    [`login app/qwertyuiop`],
  ]);
});
