import { describe } from 'vitest';
import { hexadecimal } from './canaries.js';
import { itRedacts } from './redacted.js';

const q = ['Tr0ub4', 'dor3x'].join('');
const r = ['k1Tten', 's9pur'].join('');

describe('space, tags and anchors between a separator and its value', () => {
  itRedacts('password', [
    [`x **password:** ‹${q}›`],
    [`x *password:* ‹${q}›`],
    [`password:‹${q}›`],
    [`password:   ‹${q}›`],
    [`password:\t\t‹${q}›`],
    [`password:\u00a0‹${q}›`],
    [`password:\u3000\u3000‹${q}›`],
    [`password: ! ‹${q}›`],
    [`password: !!str ‹${q}›`],
    [`password: !!str   ‹${q}›`],
    [`password: !vault/v1:kv.db-a ‹${q}›`],
    [`password: &a ‹${q}›`],
    [`password: &base\t\t‹${q}›`],
    [`password: !!str &base-1 ‹${q}›`],
    [`password: !!str &b   ‹${q}›`],
    [`password: &b-1 !!str ‹${q}›`],
    [`password: &b-1 !x ‹${q}›`],
    ['password: !Ref Db1Password9'],
    ['password=!Ref Db1Password9'],
    ['password:   !GetAtt Db1.Password9'],
    ['password:\t!ImportValue Db1Password9'],
    ['password: !env DB1_PASSWORD9x'],

    [`password: ‹!Referee${q}›`],
    [`password: ‹x!Ref ${q}›`],
  ]);
});

describe('a value on the line below its name', () => {
  itRedacts('password', [
    [`password: # from the vault\n  ‹${q}›`],
    [`password: #\n  ‹${q}›`],
    [`password: ‹#${q}›\n  more`],
    [`password =>\n  string(11) "‹${q}›"`],
    [`password =>\nstring(9) "‹abc123!xy›"`],
    [`password: |\n  ‹${q}›\n  ‹${r}›\nuser: app`],
    [`password: |-\n  ‹two words›\nuser: app`],
    [`password: >+2\n    ‹two words›\nuser: app`],
    [`password: | # the new one\n  ‹two words›\nuser: app`],
    [`password: |#\n  ‹two words›\nuser: app`],
    [`password: |-   \n  ‹two words›\n\n  ‹more words›\nuser: app`],
    [`  password: |\n  user: app`],
    [`- password: |\n    ‹two words›\n  user: app`],
    [`"password":\n  "‹${q}›"`],
    [`"password":\n\n    "‹${q}›",\n  "user": "app"`],
    [`\\"password\\":\n\\"‹${q}›\\"`],
    [`"passwords":\n  ["‹${q}›", "‹${r}›"]`],
    [`"password":\n  { "value": "‹${q}›" }`],

    [`password:\n\n  ‹${q}›`],
    [`password:\n\n\n\n  ‹${q}›`],
    [`password:\n\n\n\n\n  ‹${q}›`],
    [`password:\n  ‹"two words"›`],
    [`password:\n  ‹'two words'›`],
    ['password:\n  two words'],
    ['password:\n'],
    ['password:\n\n'],
    ['password:\nqwertyuiop'],
    [`password:\n‹${q}›`],
    [`password:\n  ‹qwertyuiop›`],
    [`passwords:\n  - ‹${q}›\n  - "‹two words›"\n  - '‹${r}›'\nuser: a1b2c3d4!`],
    [`passwords:\n- ‹${q}›\n\n-   ‹${r}›\n# end`],
    [`passwords:\n  - ‹${q}›\n    - ${r}`],
    [`passwords:\n  - ‹${q}›\n  ${r}`],
    [`passwords:\n  - name: app\n    value: ‹${q}›`],
    [`passwords:\n  - name: app\n    current: '‹two words›'\n    note: kept`],
    ['passwords:\n  - name: app\n    note: kept'],
    [`passwords:\n  app: ‹${q}›\n  "web": ‹${r}›\nuser: abc123!x`],
    [`passwords:\n  app: ‹${q}›\n\n  web:   ‹${r}›`],
    [`password:\n  value: ‹qwertyuiop›\n  note: kept`],
    [`password:\n  default: ‹qwertyuiop›`],
    [`password:\nuser: ${q}`],
    [`password:\n  user : kept`],
    [`  password:\n  user: ${q}`],
  ]);
});

describe('a quoted value over several lines', () => {
  itRedacts('password', [
    [`password: "‹${q}›\n  ‹more words"›`],
    [`password: "‹${q}›\n‹more words",›\nuser: app`],
    [`password: '‹${q}›\n‹more' }›\nuser: app`],
    [`password: "‹${q}›\n‹more");›\nuser: app`],
    [`password: "‹${q}›\nmore" and text`],
    [`password: "‹${q}›\nuser: "app"`],
    [`password: "‹${q}›\n"user": "app"`],
    [`password: "‹${q}›\n  - user = "app"`],
    [`password: "‹${q}›\n{ "u": "app"`],
    [`password: "‹${q}›\nnever closed`],
  ]);
});

describe('the marks around a value', () => {
  itRedacts('password', [
    [`password: Some("‹${q}›")`],
    [`password: Just( '‹${q}›')`],
    [`password: Ok("‹qwertyuiop›")`],
    [`password: Optional("‹qwertyuiop›")`],
    [`password: String("‹qwertyuiop›")`],
    [`password: Value("‹qwertyuiop›")`],
    [`password: SecretStr("‹qwertyuiop›")`],
    [`password: SecretString("‹qwertyuiop›")`],

    [`password: Secret{inner:"‹qwertyuiop›"}`],
    [`password: Secret  {  inner  =  "‹qwertyuiop›" }`],
    [`password: core::Secret<String> { inner: "‹qwertyuiop›" }`],
    [`password: ConvertTo-SecureString "‹qwertyuiop›" -AsPlainText`],
    [`password: ConvertTo-SecureString -String '‹qwertyuiop›' -AsPlainText`],
    [`password: 0x5 "‹qwertyuiop›"`],
    [`password: 0x55d1c8a0 '‹qwertyuiop›'`],
    [`password: {"value":"‹qwertyuiop›"}`],
    [`password: { value : "‹qwertyuiop›" }`],
    [`password: {value=‹qwertyuiop}›`],
    [`password: {  'plain'\t:  '‹qwertyuiop›' }`],
    [`"password": {\\"value\\": \\"‹qwertyuiop›\\"}`],
    [`password: {"length": 12, "user": "qwertyuiop"}`],
    [`password: {db: ‹${q}›, cache: ‹${r}}›`],
    [`password: {"db" => "‹${q}›",   'cache': '‹${r}›'}`],
    [`password: {\\"db\\":\\"‹${q}›\\",\\"cache\\":\\"‹${r}›\\"}`],
    [`password: {db=‹${q}}›`],
    [`password: "‹${q}›" -> "‹${r}›"`],
    [`password: "‹${q}›" => "‹${r}›"`],
    [`password: "‹${q}›" → "‹${r}›"`],
    [`password: "‹${q}›" to "‹${r}›"`],
  ]);
});

describe('lists of values', () => {
  itRedacts('password', [
    [`passwords: ["‹${q}›", "‹${r}›"]`],
    [`passwords: ['‹${q}›','‹${r}›']`],
    [`passwords: [‹${q}›, ‹${r}›]`],
    [`passwords: [‹${q} ${r}]›`],
    [`passwords: [[‹${q}›, ‹${r}›]]`],
    [`passwords: [\n  "‹${q}›",\n  "‹${r}›"\n]`],
    [`passwords: [\\"‹${q}›\\", \\"‹${r}›\\"]`],
    ['passwords: []'],

    [`password list: ${q}`],
    [`recovery codes: ‹4f2a-91bc›, ‹7d3e-55a0›, ‹8c1b-22f3›`],
    [`recovery codes: ‹4f2a-91bc›, user=7d3e-55a0`],
    [`recovery codes: ‹4f2a-91bc›, user: 7d3e-55a0`],
    [`recovery code: ‹4f2a-91bc›, 7d3e-55a0`],
  ]);
});

describe('an empty value', () => {
  itRedacts('password', [
    [`?password=&user=${hexadecimal(12)}`],
    [`password=,user=${hexadecimal(12)}`],
    [`password=""`],
    ['password='],
    ['password=   '],
    [`password: {}`],
  ]);
});
