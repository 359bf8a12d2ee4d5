import { describe, expect, it } from 'vitest';
import { isHarmlessValue } from '#src/doctor/redaction/harmless-values.js';
import { secretKindOf } from '#src/doctor/redaction/secret-names.js';
import type { SecretKind } from '#src/doctor/redaction/span.js';
import { readValue } from '#src/doctor/redaction/values-in-text.js';
import { visibleText } from '#src/doctor/redaction/visible-text.js';

describe('a name reveals its kind of value', () => {
  const namesByKind: Readonly<Record<string, string>> = {
    password: `password passwords passwd passphrase passcode DB_PASSWORD mysqlpassword db.password pwd PWD dbpass
      userpass rootpass adminpass smtppass mailpass mypass pgpass sshpass httppass proxypass loginpass requirepass
      userpgpass pw pass db_pass identifiedBy masterauth`,
    key: `apikey api_key x-api-key accesskeys privatekey authkey encryptionkey signingkey masterkey app_key
      client.key tls.key sasKey STRIPE_KEY ANY_OTHER_KEY`,
    token: `token TOKEN authToken accessToken jwt id_jwt sig signature X-Amz-Signature x-goog-signature`,
    secret: `secret clientSecret mnemonic secretId vault_id`,
    credentials: `credential credentials cred creds .dockerconfigjson .dockercfg auth X-Amz-Credential x-goog-credential`,
    cookie: `sid session sessionid session_id connect.sid JSESSIONID PHPSESSID session_cookie _gitlab_session`,
    'private key': `keyData`,
  };
  it.each(
    Object.entries(namesByKind).flatMap(([kind, names]) =>
      names.split(/\s+/u).map((name) => [name, kind as SecretKind] as const),
    ),
  )('%s holds a %s', (name, kind) => {
    expect(secretKindOf(name)).toBe(kind);
  });

  it.each(
    `name path ref count ttl url host policy enabled version mode class mount field format retries timeout age algorithm
    prompt created usage request scope status error valid rate location hint index`
      .split(/\s+/u)
      .map((end) => [`password_${end}`]),
  )('%s holds none', (name) => {
    expect(secretKindOf(name)).toBeUndefined();
  });

  it.each(
    'nextToken page_token continueToken public_key_token promptTokens has_password is_secret skipToken useToken requireSecret'
      .split(' ')
      .map((name) => [name]),
  )('%s describes another field', (name) => {
    expect(secretKindOf(name)).toBeUndefined();
  });

  it.each(
    'vault user tenant session_count session_ids keys row key sessions signatures sides passes cached compass bypass'
      .split(' ')
      .map((name) => [name]),
  )('%s is an ordinary word', (name) => {
    expect(secretKindOf(name)).toBeUndefined();
  });
});

describe('a value that is no secret is', () => {
  const directories =
    `var etc run tmp mnt home opt secret secrets vault usr app apps root proc sys dev data config srv
    workspace work code src go build builds cert certs keys`.split(/\s+/u);
  it.each([
    ...'true false null nil ~ none undefined unset n/a "" [] {} [ { | > |- >+ - -- * ** xxx xxxx redacted (redacted) [filtered] [masked] [hidden] ***redacted***'
      .split(' ')
      .map((value) => [value]),
    ["''"],
    ['<your own password>'],
    ...directories.map((directory) => [`/${directory}/a.b/c@d`]),
    ['/etc'],
    ['/etc/'],
  ])('%s', (value) => {
    expect(isHarmlessValue(value)).toBe(true);
    expect(isHarmlessValue(` ${value} `)).toBe(true);
  });

  it.each([
    ['trueish'],
    ['nonesuch'],
    ['xx'],
    ['redacted1'],
    ['-a'],
    ['a-'],
    ['*a'],
    ['/elsewhere/a'],
    ['etc/a'],
    ['/etc/a b'],
    ['/etc//a'],
    ['<1>'],
    ['<a'],
    ['a>'],
    ['1234567890 bytes'],
    ['16  bytes'],
  ])('not %s', (value) => {
    expect(isHarmlessValue(value)).toBe(false);
  });
});

describe('a bare value ends', () => {
  it.each<readonly [string, string, string]>([
    ['before several brackets', 'abc}])', 'abc'],
    ['before several commas and semicolons', 'abc,;,', 'abc'],
    ['before the comma behind a variable', '$NAME,;', '$NAME'],
    ['with the bracket of a variable', '$(NAME)', '$(NAME)'],
    ['before a name of HTML’s query', 'abc&amp;user=app', 'abc'],
    ['before a quoted name', 'abc,"user":"app"', 'abc'],
    ['before a name in single quotes', "abc,'user':'app'", 'abc'],
    ['before an escaped name', String.raw`abc,\"user\":\"app\"`, 'abc'],
    ['before a name with dots, percents and hyphens', 'abc&x.y-z%20a=app', 'abc'],
    ['not before a name that starts with a digit', 'abc,1x=app', 'abc,1x=app'],
    ['before a quote that nothing follows', 'abc"', 'abc'],
    ['before a back quote', 'abc`,x', 'abc'],
    ['not before a quote within it', 'abc"def', 'abc"def'],
    ['before an escaped quote', String.raw`abc\"def`, 'abc'],
    ['before the line break of two characters at its end', String.raw`abc\n`, 'abc'],
    ['before the tab of two characters and a name', String.raw`abc\tuser=app`, 'abc'],
    ['not before a backslash and another letter', String.raw`abc\def`, String.raw`abc\def`],
    ['before a comma and a quote', `abc,"x`, 'abc'],
    ['before brackets and a comma', 'abc}],[x', 'abc'],
    ['not before a bracket and a comma within it', 'a],b', 'a],b'],
    ['before an ellipsis', 'abc…', 'abc'],
    ['not before an ellipsis within it', 'abc…def', 'abc…def'],
  ])('%s', (_, text, value) => {
    const { start, end } = readValue(text, 0);

    expect(text.slice(start, end)).toBe(value);
  });
});

describe('a text as a terminal shows it', () => {
  const esc = '\u001b';
  it.each<readonly [string, string, string]>([
    ['has no colours', `a${esc}[31mb${esc}[0m`, 'ab'],
    ['has no movements', `a${esc}[2;5H${esc}[?25lb`, 'ab'],
    ['has no movements in their short form', 'a\u009b31mb', 'ab'],
    ['has no title of a window', `a${esc}]0;title\u0007b`, 'ab'],
    ['has no link', `a${esc}]8;;x${esc}\\b`, 'ab'],
    [
      'has no strings of a device',
      `a${esc}Pq${esc}\\b${esc}Xq\u009cc${esc}^q\u0007d${esc}_q\u0007e`,
      'abcde',
    ],
    ['has the whole line after an unfinished sequence', `a${esc}]0;title\nb`, 'a\nb'],
    ['has no escape of two characters', `a${esc}cb${esc}(Bc`, 'abc'],
    ['has one kind of line break', 'a\r\nb\rc\u2028d\u2029e\u0085f\vg\fh', 'a\nb\nc\nd\ne\nf\ng\nh'],
    ['has its tabs and line breaks', '\ta\n\nb', '\ta\n\nb'],
    ['has no controls', 'a\u0000\u0008\u007f\u0080b', 'ab'],
    ['has no invisible characters', 'a\u200b\u200d\u2060\u00ad\u202e\u2066\ufe0f\ufff9b', 'ab'],
    ['has no halves of characters', 'a\ud800b\udc00', 'a\ufffdb\ufffd'],
    ['has whole characters', 'a🙂비밀', 'a🙂비밀'],
    ['has up to eight marks on a letter', `e${'\u0301'.repeat(8)}`, `e${'\u0301'.repeat(8)}`],
    ['has no ninth', `e${'\u0301'.repeat(9)}x`, `e${'\u0301'.repeat(8)}x`],
  ])('%s', (_, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });
});
