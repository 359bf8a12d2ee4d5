import { describe } from 'vitest';
import { seededRandom } from '../../../support/seeded-random.js';
import { itRedacts } from './redacted.js';

const p = ['h4ppy', 'Feet'].join('');
const q = ['wind', 'mill7'].join('');
const below = seededRandom(20);
const letters = 'abcdefghijklmnopqrstuvwxyz';
const draw = (from: string, count: number): string =>
  Array.from({ length: count }, () => from[below(from.length)]).join('');
const random = draw(`${letters}${letters.toUpperCase()}0123456789`, 24);

describe('options of curl behind one hyphen', () => {
  itRedacts('password', [
    [`curl -su ops:‹${p}› https://x`],
    [`curl -sSku 'ops:‹${p}›' https://x`],
    [`curl -uops:‹${p}› https://x`],
    [`curl -sU proxy:‹${p}› https://x`],
    [`curl -su "$USER:$PASS" https://x`],
    [`curl -sku https://x:8443/y`],
    [`docker run -itu 1000:1000 app1`],
    [`tar -xvu a:b1c2d3`],
  ]);
});

describe('the armour of secrets that are no PEM', () => {
  const seed = draw('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 56);
  const lines = [draw('0123456789abcdef', 32), draw('0123456789abcdef', 32)] as const;
  itRedacts('private key', [
    [`‹-----BEGIN USER NKEY SEED-----›\n‹SU${seed}›\n‹------END USER NKEY SEED------›`],
    [
      `‹-----BEGIN OpenVPN Static key V1-----›\n‹${lines[0]}›\n‹${lines[1]}›\n‹-----END OpenVPN Static key V1-----›`,
    ],
    [
      `‹-----BEGIN OpenVPN tls-crypt-v2 client key-----›\n‹${lines[0]}›\n‹-----END OpenVPN tls-crypt-v2 client key-----›`,
    ],
    [`-----BEGIN NATS ACCOUNT NAME-----\n${seed}\n-----END NATS ACCOUNT NAME-----`],
    ['# 2048 bit OpenVPN static key'],
  ]);
});

describe('a name on the path to a value', () => {
  itRedacts('password', [
    [`default['postgresql']['password']['postgres'] = '‹${p}›'`],
    [`node["db"]["password"]["app"] = "‹${p}›"`],
    [`default['postgresql']['password']['min_length'] = '12chars'`],
    [`default['postgresql']['password']['path'] = 'x7/y'`],
    [`default['postgresql']['users']['postgres'] = '${p}'`],
  ]);
});

describe('fields for name and value that state of what they are', () => {
  itRedacts('password', [
    [`ParameterKey=DbPassword,ParameterValue=‹${p}›`],
    [`{"ParameterKey": "DbPassword", "ParameterValue": "‹${p}›"}`],
    [`OptionName: DB_PASSWORD\nOptionValue: ‹${p}›`],
    [`{"variable_name":"DB_PASSWORD","variable_value":"‹${p}›"}`],
    [`ParameterKey=DbPassword,UsePreviousValue=true`],
    [`ParameterKey=InstanceType,ParameterValue=m5xlarge!1`],
  ]);
});

describe('calls that take a user from a variable', () => {
  itRedacts('password', [
    [`usernamePassword(user, '‹${p}›')`],
    [`new UsernamePasswordAuthenticationToken(name, "‹${p}›")`],
    [`smtp.login(os.environ["USER"], '‹${p}›')`],
    [`usernamePassword(credentialsId, 'shop-registry')`],
    [`smtp.login('${p}')`],
    [`authority.sealLogin(approval, 'U0DANA7', facts)`],
    [`login({ host, port }, 'U0DANA7')`],
  ]);
});

describe('sentences of people', () => {
  itRedacts('password', [
    [`your one-time code is ‹481 927›, valid for 5 minutes`],
    [`verification code: ‹481-927›`],
    [`security code is 12 34`],
    [`the new root pw for db2 is ‹${p}›, please`],
    [`pw is ‹${p}›`],
    [`the pw for db2 is unchanged`],
    [`creds for the jump box: ops:‹${p}›`],
    [`login for grafana: admin / ‹${p}›`],
    [`credentials for the registry: ghcr.io/teamX2/app`],
    [`credentials for shop: read from vault`],
    [`Use the passphrase "‹green tea at noon›" for the key`],
    [`passphrase "must be longer than that"`],
    [`id: deploy pw: ‹epqmffhdl›`],
    [`user: kim, password: ‹sommerwind›`],
    [`user: kim password: expired`],
    [`user: kim password: reset by the admin`],
    [`젠킨스 비번 뭐였죠? → ‹${q}›`],
    [`비번이 뭔가요? -> ‹${q}›`],
    [`비번 바꿨나요? → 네`],
    [`배포 끝났나요? → ${q}`],
    [`DB 비번은 그대로 ‹alsdud33!› 쓰시면 돼요`],
    [`비번은 그대로 두세요`],
    [`비밀번호 오류: 입력값 ‹${q}›`],
    [`비밀번호 불일치 (기대값 ‹${q}›)`],
    [`사용자 오류: 입력값 ${q}`],
    [`토큰 오류: 입력값 ${q}`],
    [`비밀번호 길이 오류: 입력값 3자`],
    [`비번(PW): ‹${q}›`],
  ]);
  itRedacts('key', [
    [`VPN 공유키(PSK): ‹${q}›`],
    [`접속키는 ‹${random}›이고 만료는 내일이에요`],
    [`발급키: ‹${random}›`],
    [`기본키는 ${random}`],
    [`공개키(RSA): ${random}`],
  ]);
});

describe('messages that only look like a value', () => {
  itRedacts('credentials', [
    ['token_type=Bearer expires_in=3600'],
    ['token_type: Bearer scope=read:user2'],
    [`Bearer ‹${random}=›`],
    ['passwd: user unknown'],
    [`passwd: user app does not exist`],
  ]);
  itRedacts('password', [[`passwd: ‹correct horse battery›`], [`passwd: ‹${p}›`]]);
});

describe('strings of Python with a letter before the quote', () => {
  itRedacts('secret', [
    [`app.secret_key = b'‹_5#y2LxF4Q8z›'`],
    [`secret_key = rb"‹${random}›"`],
    [`secret_key = u'‹${random}›'`],
    [`secret_key = f'{settings.key}'`],
    [String.raw`jsonnet_token = r'[^\W\d]\w*'`],
    [`secret_key = settings.SECRET_KEY`],
    [`app.secret_key = current_app.config['SECRET_KEY']`],
    [`secret_key = ‹settings-7Kx›`],
  ]);
});

describe('a variable that was read, and its value on the next line', () => {
  itRedacts('secret', [
    [`iex> System.get_env("GUARDIAN_SECRET")\n"‹${random}›"`],
    [`irb> ENV["APP_SECRET"]\n=> "‹${random}›"`],
    [`>>> os.environ['APP_SECRET']\n'‹${random}›'`],
    [`$ echo $APP_SECRET\n‹${random}›`],
    [`$ printenv APP_SECRET\n‹${p}›`],
    [`$ printenv APP_SECRET\nbash: printenv: command not found`],
    [`$ echo $APP_SECRET\n\n$ ls a1b2c3!`],
    [`$ printenv APP_NAME\n${random}`],
  ]);
});

describe('devices of a network', () => {
  itRedacts('password', [
    [`snmp-server user ops grp v3 auth sha ‹${p}› priv aes 128 ‹${q}›`],
    [`createUser ops SHA "‹${p}›" AES "‹${q}›"`],
    [`enable secret 0 ‹${p}›`],
    [`enable secret ‹${p}›`],
    [`username ops privilege 15 password 7 ‹0822455D0A16B›`],
    [`set vpn ipsec ike pre-shared-secret '‹${p}›'`],
    [`tacacs-server key 7 ‹094F471A1A0A57›`],
    [`set key ${p}`],
    ['neighbor 10.0.0.2 password 0 unchanged'],
    ['retry password 3 times2go'],
    ['enable secret store1 for the driver'],
    ['the auth sha256 digest2 of the image'],
    ['bash: aes 128 blocks2'],
  ]);
});

describe('purposes and accounts beside a password', () => {
  itRedacts('password', [
    [`wpa_passphrase=‹sunset boulevard›`],
    [`key_passphrase=‹${p}› user=app`],
    [`passphrase=‹${p}›`],
    [`pw for the staging grafana: ‹${p}›`],
    [`password for the new jump host is ‹${p}›`],
    ['password for the new jump host: see the vault'],
    [`관리콘솔 접속: admin / ‹${q}›`],
    [`계정: admin/‹${q}›`],
    [`접속: 10.0.0.1 / ${q}`],
    ['계정: admin / 잠김'],
    ['접속: web-01 / web-02'],
  ]);
});
