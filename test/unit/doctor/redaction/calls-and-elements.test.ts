import { describe } from 'vitest';
import { itRedacts } from './redacted.js';

const q = ['Tr0ub4', 'dor&3x'].join('');

describe('a user and a password as arguments of a call', () => {
  itRedacts('password', [
    [`auth=HTTPBasicAuth('svc', '‹${q}›')`],
    [`requests.get(url, auth=('svc', '‹${q}›'))`],
    [`aiohttp.BasicAuth("svc", "‹${q}›")`],
    [`request.SetBasicAuth("svc", "‹${q}›")`],
    [`conn.request :basic_auth('svc', '‹${q}›')`],
    [`smtp.PlainAuth("", "svc", "‹${q}›", "smtp.acme.io")`],
    [`new NetworkCredential("svc", "‹${q}›", "ACME")`],
    [`new UsernamePasswordCredentials("svc", "‹${q}›")`],
    [`new PasswordAuthentication('svc', '‹${q}›')`],
    [`Credentials.basic("svc", "‹${q}›")`],
    [`HTTPBasicAuth('svc', 'password')`],
    [`auth=('svc', os.environ['SVC_PASSWORD'])`],
    [`BasicAuth("svc", "db-credentials")`],
    [`loadCredentials("/etc/a1", "/etc/b2.json")`],
    [`author=('Ann', 'ann1@acme')`],
    [`BasicAuthFilter("/api/v1", "/api/v2")`],
  ]);
});

describe('a value in a dump of PHP', () => {
  itRedacts('password', [
    [`array(2) { ["user"]=> string(3) "app" ["password"]=> string(12) "‹${q}›" }`],
    [`["password"]=>\n  string(12) "‹${q}›"`],
    [`a:1:{s:8:"password";s:12:"‹${q}›";}`],
    [`array(1) { ["user"]=> string(12) "${q}" }`],
    [`a:2:{s:4:"user";s:12:"${q}";s:4:"host";s:2:"db";}`],
    [`s:8:"password";s:0:"";`],
    [`s:8:"password";N;s:4:"user";s:3:"app";`],
  ]);
});

describe('an element of XML with attributes', () => {
  itRedacts('password', [
    [`<wsse:Password Type="#PasswordText">‹${q}›</wsse:Password>`],
    [`<password encrypted="false">‹${q}›</password>`],
    [`<ns2:password xmlns:ns2='urn:a'><![CDATA[‹${q}›]]></ns2:password>`],
    [`<password xsi:nil="true"/>`],
    [`<password minLength="8"> must have a digit`],
    [`<PasswordPolicy mode="strict">${q}</PasswordPolicy>`],
    [`<label for="password">Password</label>`],
    [`<wsse:Username Type="x">${q}</wsse:Username>`],
  ]);
});

describe('user and password behind AUTH', () => {
  itRedacts('password', [
    [`C: AUTH orders ‹redisAcl-Pw›`],
    [`"AUTH" "orders" "‹redisAcl-Pw›"`],
    ['AUTH command failed'],
    ['ERR AUTH called without any password'],
    ['AUTH PLAIN LOGIN'],
    ['250-AUTH LOGIN PLAIN CRAM-MD5'],
    ['AUTH service unavailable'],
    ['AUTH failed for userName'],
  ]);
});

describe('a compound name and a password apart by a space', () => {
  itRedacts('password', [
    [`GF_SECURITY_ADMIN_PASSWORD ‹${q}› was rejected`],
    [`snmpv3 authPassword ‹${q}› privProtocol AES`],
    [`db.password ‹${q}›`],
    [`env DB_PASSWORD DB_HOST1 DB_PORT2`],
    [`DB_PASSWORD v1.27.3 is unknown`],
    [`adminPassword must be changed`],
    [`dbPassword orders-db-7f9c2k/password`],
    [`passwordPolicy ${q}`],
    [`DB_PASSWORD in line12 is empty`],
    [`DB_PASSWORD db.yaml:12`],
    [`DB_PASSWORD $(OTHER_1)`],
    [`the adminPassword in field1Name`],
    [`set DB_PASSWORD line12 now`],
  ]);
});

describe('a setting about the time of a token', () => {
  itRedacts('token', [
    ['JWT_EXPIRES_IN=15m'],
    ['refreshTokenExpiresIn: 7d'],
    ['TOKEN_LEEWAY=5s'],
    ['token: 15m'],
    ['token.validity: PT15M'],
    ['SESSION_SECRET_ROTATES_AFTER=30d'],
    [`JWT_SIGNED_IN_EU=‹a1b2c3d4e5›`],
    [`token: ‹15mx9k2l›`],
  ]);
});

describe('keys of ASP.NET and New Relic', () => {
  const hex = '0f3c9a7be1d2'.repeat(4);
  itRedacts('key', [
    [`<machineKey validationKey="‹${hex}›" validation="SHA1"/>`],
    [`decryptionKey="‹${hex}›"`],
    [`<machineKey validationKey="AutoGenerate,IsolateApps"/>`],
    [`license ‹${hex.slice(0, 36)}${['FFFF', 'NRAL'].join('')}› was refused`],
    [`image ${hex.slice(0, 36)}FFFF`],
  ]);
});
