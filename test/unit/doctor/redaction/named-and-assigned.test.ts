import { describe } from 'vitest';
import { assignments } from '#src/doctor/redaction/assignments.js';
import { namedValues } from '#src/doctor/redaction/named-values.js';
import { password as p } from './canaries.js';
import { itTakes, type Marked } from './marked.js';

const uid = '3f1c2b4a-5d6e-4f70-8a91-b2c3d4e5f607';

describe('an assignment keeps its name, its quotes and what follows', () => {
  itTakes(assignments, 'password', [
    ...[':=', '?=', '=>', '=', '==', '===', ':', ' = ', ' => ', ' : ', '\t=\t'].map(
      (sign): Marked => [`with ${JSON.stringify(sign)}`, `with db_password${sign}‹${p}›, user${sign}app`],
    ),
    ['with eight spaces before its sign', `password        =‹${p}›`],
    ['in quotes', `password = "‹two ${p} words›" # kept`],
    ['in back quotes', `password=\`‹two ${p}›\` kept`],
    ['in JSON', `{"user":"app","password":"‹${p}›","host":"db"}`],
    ['in JSON with spaces', `{ "password" : "‹${p}›" , "host" : "db" }`],
    ['in JSON in JSON', String.raw`{\"password\":\"‹${p}›\",\"host\":\"db\"}`],
    ['in JSON in JSON in JSON', String.raw`{\\\"password\\\":\\\"‹${p}›\\\",\\\"host\\\":\\\"db\\\"}`],
    ['as an index', `ENV['DB_PASSWORD'] = '‹${p}›'; ENV['A'] = 'b'`],
    ['in a list of one', `password=["‹${p}›"] user=["app"]`],
    ['in a list in a list', `password=[["‹${p}›"]] user=app`],
    ['in a printed map', `map[password:‹${p}› user:app]`],
    ['in a query', `GET /a?x=1&password=‹${p}›&user=app 401`],
    ['in a query of HTML', `/a?x=1&amp;password=‹${p}›&amp;user=app`],
    ['in a connection string', `Server=db;Password=‹${p}›;Encrypt=True`],
    ['in a list of arguments', `--set=db.password=‹${p}›,db.user=app`],
    ['in a call', `connect(password=‹${p}›)`],
    ['in an object', `{password:‹${p}›}, {a:b}`],
    ['in an element', `<a>password=‹${p}›</a>`],
    ['cut off', `password=‹${p}›…`],
    ['as a whole in double quotes', `["PASSWORD=‹two ${p} words›", "A=b"]`],
    ['as a whole in single quotes', `['PASSWORD=‹two "${p}" words›', 'A=b']`],
    ['behind a line break of two characters', `a\\nDB_PASSWORD=‹${p}›\\nUSER=app`],
    ['with a weak name behind a line break of two characters', 'a\\nsid=‹ab12cd34›\\nb=c', 'cookie'],
    ['with a weak name behind a tab of two characters', 'a\\tsid=‹ab12cd34›\\tb=c', 'cookie'],
    ['with a weak name behind a percent-encoded character', '?a=1%26sid=‹ab12cd34›&b=c', 'cookie'],
    ['not without a name', `= ${p}`],
    ['not without a value', 'password=\nhost=db'],
    ['not with a harmless name', `passwordFile=${p}`],
    ['twice in a line', `password=‹${p}› and passwd=‹${p}x›`],
  ]);
});

describe('a line that consists of one assignment is removed to its end', () => {
  itTakes(assignments, 'password', [
    ['of an environment', `DB_PASSWORD=‹two ${p} words›\nUSER=app`],
    ['behind export', `export DB_PASSWORD=‹two ${p} words›`],
    ['behind ENV', `ENV DB_PASSWORD=‹two ${p} words›`],
    ['behind set', `set DB_PASSWORD=‹two ${p} words›`],
    ['behind declare -x', `declare -x DB_PASSWORD=‹two ${p} words›`],
    ['behind env', `env DB_PASSWORD=‹two ${p} words›`],
    ['of a list', `- DB_PASSWORD=‹two ${p} words›`],
    ['that is indented', `    DB_PASSWORD=‹two ${p} words›`],
    ['of YAML', `db:\n  password: ‹two ${p} words›\n  port: 5432`],
    ['up to the next name of it', `DB_PASSWORD=‹two ${p} words› USER=app`],
    ['without the spaces behind it', `DB_PASSWORD=‹two ${p}›   \nUSER=app`],
    ['not where other text precedes it', `start DB_PASSWORD=‹${p}› and go on`],
    ['not where its name is no variable of the environment', `password=‹${p}› and go on`],
    ['not where no space follows the colon', `password:‹${p}› and go on`],
    ['not behind more than sixty spaces', `${' '.repeat(60)}DB_PASSWORD=‹${p}› and go on`],
    ['behind fifty-nine spaces', `${' '.repeat(59)}DB_PASSWORD=‹two ${p} words›`],
  ]);
});

describe('an ambiguous name takes as its value', () => {
  const weak = [
    ['auth', 'credentials'],
    ['sig', 'token'],
    ['signature', 'token'],
    ['sid', 'cookie'],
    ['pass', 'password'],
    ['session', 'cookie'],
    ['session_id', 'cookie'],
    ['session-id', 'cookie'],
    ['sessionid', 'cookie'],
  ] as const;
  itTakes(
    assignments,
    'token',
    weak.flatMap(([name, kind]): Marked[] => [
      [`eight characters: ${name}`, `x ${name}=‹ab12cd34› y`, kind],
      [`not seven: ${name}`, `x ${name}=ab12cd3 y`, kind],
      [`not a word: ${name}`, `x ${name}=established y`, kind],
      [`not a word, in capitals: ${name}`, `x ${name.toUpperCase()}: Established y`, kind],
    ]),
  );
});

describe('a clause that ends in a telltale word keeps the text after it', () => {
  itTakes(assignments, 'password', [
    ['a sentence', 'fetching token: timeout'],
    ['a sentence that continues', 'error reading secret: dial tcp 10.0.0.1:443: i/o timeout'],
    ['a quoted name of an object', 'rotating "db-password": kubernetes.io/tls'],
    ['a quoted name of an object in JSON', String.raw`rotating \"db-password\": kubernetes.io/tls`],
    ['a quoted name behind a number', '3 "db-password": HTTP'],
    ['a path', 'open /run/token: no such file'],
    ['a name in brackets', 'updating Volume[db-password]: Bound'],
    ['a uid', `deleting "db-password": ${uid}`],
    ['a port', 'listening for "db-password": 8443/tcp'],
    ['a pair', 'exec "db-password": stderr="Killed9"'],
    ['a field', 'mounting "db-password": devicePath'],
    ['a key of an image', 'pulling db-password: registry.example.com/shop/web:1.27'],
    ['the name of a Secret', 'secret: db-credentials'],
    ['the names of Secrets', 'secrets: shop/db-credentials'],
    ['the working directories of a shell', 'PWD=/nowhere/to2x\nOLDPWD=/elsewhere/to2x'],
    ['but takes a directory of another name', 'DB_PWD=‹/nowhere/to2x›', 'password'],
    ['but takes a value that is not a word', `wrong password: ‹${p}› again`, 'password'],
    ['but takes it from six characters on', 'wrong password: ‹abcde6› again', 'password'],
    ['not with five', 'wrong password: abcd5 again'],
    ['but takes it behind the quoted name of an object', `rotated "db-password": ‹${p}›`, 'password'],
    ['but takes it in quotes', 'wrong password: "‹qwertyuiop›" again', 'password'],
    ['but takes it with an equals sign', 'wrong password=‹qwertyuiop› again', 'password'],
  ]);
});

describe('name and value as two fields', () => {
  itTakes(namedValues, 'password', [
    ['in JSON', `{"name":"DB_PASSWORD","value":"‹${p}›"},{"name":"A","value":"b"}`],
    ['in JSON over lines', `{\n  "name": "DB_PASSWORD",\n  "value": "‹${p}›"\n}`],
    ['in JSON in JSON', String.raw`{\"name\":\"DB_PASSWORD\",\"value\":\"‹${p}›\"}`],
    ['in YAML', `- name: DB_PASSWORD\n  value: ‹${p}›\n- name: A\n  value: b`],
    ['in YAML in quotes', `- name: "DB_PASSWORD"\n  value: '‹two ${p}›'\n`],
    ['called key', `{"key":"DB_PASSWORD","value":"‹${p}›"}`],
    ['as attributes', `<add key="Password" value="‹${p}›"/>`],
    ['the value first', `{"value":"‹${p}›","name":"DB_PASSWORD"}`],
    ['the value first, called key', `{"value":"‹${p}›","key":"DB_PASSWORD"}`],
    ['the value first, over lines', `{\n  "value": "‹${p}›",\n  "name": "DB_PASSWORD"\n}`],
    ['not with a harmless name', '{"name":"DB_USER","value":"hunter2x"}'],
    ['not with a harmless name, the value first', '{"value":"hunter2x","name":"DB_USER"}'],
    ['not with a reference for a value', '{"name":"DB_PASSWORD","value":"$(OTHER)"}'],
    ['not of the end of another field', '{"keyvalue":"hunter2x","name":"DB_PASSWORD"}'],
    ['not as the end of another field', '{"hostname":"password","value":"hunter2x"}'],
  ]);
});

describe('flags and elements', () => {
  itTakes(namedValues, 'password', [
    ['a flag', `app --password ‹${p}› --port 80`],
    ['a flag with a wide gap', `app --password    ‹${p}› --port 80`],
    ['a flag with a short value', 'app --password ‹abc› --port 80'],
    ['not a flag at the end of its line', 'run9x --password\nhunter2x comes later'],
    ['a flag with one hyphen', `app -password ‹${p}› -port 80`],
    ['a flag with its value in quotes', `app --password "‹two ${p}›" --port 80`],
    ['a flag in a list', `["app","--password","‹${p}›","--port"]`],
    ['a flag in a list with spaces', `['app', '--password', '‹${p}›', '--port']`],
    ['a flag in a list over lines', `[\n  "--password",\n  "‹${p}›"\n]`],
    ['a flag in a list of YAML', `args:\n  - --password\n  - ‹${p}›\n  - --port\n  - "80"`],
    ['not a flag before another flag', 'app --password --port 80'],
    ['not a flag before another in a list', '["--password","--port80x"]'],
    ['not a flag that asks for its value', 'app --password-stdin hunter2x'],
    ['not a flag in a sentence', 'use --password to authenticate'],
    ['not a flag with a path', 'app --password /run/secrets/db'],
    ['not a word with hyphens', 'the one--password hunter2x'],
    ['an element', `<password>‹two ${p}›</password><host>db</host>`],
    ['an element with a prefix', `<db:password>‹${p}›</db:password>`],
    ['not a harmless element', '<passwordFile>hunter2x</passwordFile>'],
    ['not an element without a text', '<password></password>'],
  ]);
});
