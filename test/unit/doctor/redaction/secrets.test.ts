import { describe, expect, it } from 'vitest';
import { redact } from '#src/doctor/redaction/redact.js';
import { base64, hexadecimal, keyLines, mixed, password as p, tokens } from './canaries.js';

const begin = (kind = 'RSA ') => `-----BEGIN ${kind}PRIVATE KEY-----`;
const end = (kind = 'RSA ') => `-----END ${kind}PRIVATE KEY-----`;
const pem = [begin(), ...keyLines, end()].join('\n');
const random = mixed(28);

/** A test name, the text, and the secret that must not survive (the canary password by default). */
const written: [string, string, (string | readonly string[])?][] = [
  ['a URL with user and password', `dial postgres://app:${p}@db:5432/shop failed`],
  ['a URL with a password only', `redis://:${p}@cache:6379/0`],
  ['a URL whose password holds an @', `amqp://app:${p}@x${p}@mq:5672`],
  ['a URL whose password holds a slash', `postgres://app:${p}/z@db/shop`],
  ['a URL whose password holds a hash and a question mark', `mysql://app:a#${p}?b@db/shop`],
  ['a list of hosts in one URL', `mongodb://app:${p}@m1:27017,m2:27017/shop?replicaSet=rs0`],
  ['two URLs joined by a comma', `amqp://a:b1b2@h1,amqp://c:${p}@h2`, [p, 'b1b2']],
  ['a URL in JSON', `{"url":"https://bot:${p}@git.example.com/x.git"}`],
  ['a URL whose user is a token', `cloning https://${mixed(32)}@git.example.com/x.git`, mixed(32)],
  ['a MySQL DSN of Go', `app:${p}@tcp(db:3306)/shop?parseTime=true`],
  ['an Oracle thin URL', `jdbc:oracle:thin:scott/${p}@//db:1521/orcl`],
  ['a JDBC URL with parameters', `jdbc:postgresql://db/shop?user=app&password=${p}&ssl=true`],
  ['an ADO connection string', `Server=db;Database=shop;User Id=app;Password=${p};Encrypt=True`],
  [
    'an Azure storage connection string',
    `AccountName=shop;AccountKey=${mixed(40)}==;EndpointSuffix=core.windows.net`,
    mixed(40),
  ],
  [
    'a shared access signature',
    `GET https://x.blob.core.windows.net/c?sv=2024&sig=${mixed(24)}%3D&se=2026`,
    mixed(24),
  ],
  [
    'a presigned URL of S3',
    `https://b.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-Signature=${hexadecimal(64)}`,
    hexadecimal(64),
  ],
  ['an access token in a query', `GET /hook?access_token=${random}&x=1 401`, random],
  ['a libpq keyword string', `host=db user=app password=${p} dbname=shop`],
  ['a basic header', `Authorization: Basic ${base64(`app:${p}`)}`, base64(`app:${p}`)],
  ['a bearer header', `> Authorization: Bearer ${random}`, random],
  ['a bearer header in a Go map', `map[Accept:[*/*] Authorization:[Bearer ${random}]]`, random],
  ['a bearer header in JSON', `{"headers":{"authorization":"Bearer ${random}"}}`, random],
  ['an authorization header without scheme', `authorization: ${random}`, random],
  ['a digest header', `Authorization: Digest username="app", response="${hexadecimal(32)}"`, hexadecimal(32)],
  [
    'an AWS signature header',
    `Authorization: AWS4-HMAC-SHA256 SignedHeaders=host, Signature=${hexadecimal(64)}`,
    hexadecimal(64),
  ],
  ['a bare bearer token', `sending Bearer ${random} to upstream`, random],
  ['an API key header', `x-api-key: ${random}`, random],
  ['a cookie header', `Cookie: theme=dark; session=${random}; lang=en`, [random, 'dark']],
  ['a set-cookie header', `Set-Cookie: id=${random}; Path=/; HttpOnly`, random],
  ['an environment assignment', `DB_PASSWORD=${p}`],
  ['an exported variable with quotes', `export DB_PASSWORD="${p} and more"`, [p, 'and more']],
  ['an environment assignment with spaces', `DB_PASSWORD=two words ${p}`, [p, 'two words']],
  ['an environment assignment of letters only', 'SMTP_PASS=correcthorse', 'correcthorse'],
  ['a colon as in kubectl describe', `      PGPASSWORD:  ${p}`],
  ['a token variable', `GITHUB_TOKEN=${random}`, random],
  ['a secret variable', `CLIENT_SECRET=${random}`, random],
  ['a key variable', `STRIPE_KEY=${random}`, random],
  ['the secret access key of AWS', `AWS_SECRET_ACCESS_KEY=${mixed(20)}/${mixed(19)}`, mixed(19)],
  ['the secret key base of Rails', `SECRET_KEY_BASE=${hexadecimal(64)}`, hexadecimal(64)],
  ['a password with a number for a name', `PASSWORD_1=${p}`],
  ['an assignment in the middle of a line', `starting with password=${p} and user=app`],
  ['an assignment with quotes', `password='${p}'`],
  ['an assignment whose quote never closes', `password="${p} and the rest`, [p, 'and the rest']],
  ['a value with a quote inside', `password=ab"${p}`],
  ['a value with an ampersand and a comma inside', `DB_PASSWORD=a&b,${p}`],
  ['a value behind a line break written as two characters', `env:\\nDB_PASSWORD=${p}\\nUSER=app`],
  ['JSON', `{"user":"app","password":"${p}","host":"db"}`],
  ['JSON with an escaped quote in the value', `{"password":"a\\"${p}","host":"db"}`],
  ['JSON in a JSON string', `{"msg":"{\\"password\\":\\"${p}\\"}"}`],
  ['JSON twice in a JSON string', `"{\\\\\\"clientSecret\\\\\\":\\\\\\"${p}\\\\\\"}"`],
  ['YAML', `database:\n  host: db\n  password: ${p}\n  port: 5432`],
  ['YAML with words', `passphrase: correct horse ${p}`, [p, 'correct horse']],
  ['a hash of Ruby', `{:password=>"${p}", :user=>"app"}`],
  ['a struct of Go', `{User:app Password:${p} Port:5432}`],
  ['a Go assignment', `token := "${random}"`, random],
  ['a property of Spring', `spring.datasource.password=${p}`],
  ['camel case', `{"dbPassword":"${p}"}`],
  ['a name without separator', `mysqlpassword=${p}`],
  ['an element of XML', `<connection><password>${p}</password></connection>`],
  ['an attribute pair of XML', `<add key="Password" value="${p}" />`],
  ['a flag', `exec /app --password ${p} --port 80`],
  ['a flag with equals', `/app --api-token=${random}`, random],
  ['a flag in an array', `["/app","--token","${random}"]`, random],
  ['a flag in a YAML list', `args:\n- --token\n- ${random}\n- --port`, random],
  ['curl with a user', `curl -sS -u app:${p} https://x/`],
  ['mysql with -p', `mysqldump -h db -u root -p${p} shop`],
  ['sshpass', `sshpass -p ${p} ssh host`],
  ['redis.conf', `requirepass ${p}`],
  ['SQL', `CREATE USER app IDENTIFIED BY '${p}'`],
  ['SQL of PostgreSQL', `ALTER ROLE app WITH PASSWORD '${p}'`],
  ['a netrc line', `machine git.example.com login bot password ${p}`],
  ['a pgpass line', `db:5432:shop:app:${p}`],
  ['name and value in a pod spec as JSON', `{"name":"DB_PASSWORD","value":"${p}"}`],
  ['value before name', `{"value":"${p}","name":"DB_PASSWORD"}`],
  ['name and value in a pod spec as YAML', `env:\n- name: DB_PASSWORD\n  value: ${p}\n- name: A\n  value: b`],
  ['name and value escaped', `{\\"name\\":\\"API_TOKEN\\",\\"value\\":\\"${p}\\"}`],
  ['an auth of docker config', `{"auths":{"r.io":{"auth":"${base64(`bot:${p}`)}"}}}`, base64(`bot:${p}`)],
  ['npmrc', `//registry.example.com/:_authToken=${random}`, random],
  [
    'a Secret in YAML',
    `apiVersion: v1\ndata:\n  DB: ${base64(p)}\n  url: ${base64('x')}zz\nkind: Secret`,
    base64(p),
  ],
  [
    'a Secret with a block',
    `kind: Secret\nstringData:\n  conf: |\n    first ${p}\n    second`,
    [p, 'second'],
  ],
  ['a Secret in JSON', `{"kind":"Secret","data":{"a":"${base64('one')}","DB":"${base64(p)}"}}`, base64(p)],
  [
    'a Secret in an annotation',
    `"{\\"kind\\":\\"Secret\\",\\"data\\":{\\"DB\\":\\"${base64(p)}\\"}}"`,
    base64(p),
  ],
  ['base64 of an assignment', `payload ${base64(`DB_PASSWORD=${p}`)} sent`, base64(`DB_PASSWORD=${p}`)],
  ['base64 of a private key', `tls.key: ${base64(pem)}`, base64(pem).slice(40, 100)],
  ['base64 of a private key without a name', `loaded ${base64(pem)}`, base64(pem).slice(40, 100)],
  ['a private key', pem, keyLines],
  ['an OpenSSH private key', [begin('OPENSSH '), ...keyLines, end('OPENSSH ')].join('\n'), keyLines],
  [
    'an encrypted private key',
    [begin(), 'Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-256-CBC,00', '', ...keyLines, end()].join('\n'),
    keyLines,
  ],
  [
    'a private key behind timestamps',
    pem
      .split('\n')
      .map((line) => `2026-11-20T09:30:00Z ${line}`)
      .join('\n'),
    keyLines,
  ],
  ['a private key cut off at its end', pem.split('\n').slice(0, 3).join('\n'), keyLines.slice(0, 2)],
  ['a private key cut off at its start', pem.split('\n').slice(2).join('\n'), keyLines.slice(1)],
  ['the middle of a private key', `${keyLines[1]}\n${keyLines[2]}`, keyLines.slice(1, 3)],
  ['a private key with escaped line breaks', `{"private_key":"${pem.replaceAll('\n', '\\n')}\\n"}`, keyLines],
  ['a private key without a name in one line', `loaded "${pem.replaceAll('\n', '\\n')}"`, keyLines],
  ['a private key flattened with spaces', `key is ${pem.replaceAll('\n', ' ')} ok`, keyLines],
  [
    'a private key in one line, cut off',
    `key ${pem.replaceAll('\n', '\\n').slice(0, 150)}`,
    keyLines.slice(0, 1),
  ],
  [
    'a PGP private key',
    [
      '-----BEGIN PGP PRIVATE KEY BLOCK-----',
      '',
      ...keyLines,
      '=a1B2',
      '-----END PGP PRIVATE KEY BLOCK-----',
    ].join('\n'),
    keyLines,
  ],
  ['a random run beside the word token', `got token ${random} from peer`, random],
  ['a random run beside the words api key', `invalid api key "${random}"`, random],
  ['a long hexadecimal run beside the word key', `using key ${hexadecimal(64)}`, hexadecimal(64)],
  ['a password in a sentence', `the password: ${p} is wrong`],
  ['a quoted password in a sentence', `tried password "${p}" twice`],
  ['a struct of Go behind a clause', `reading token: &{User:app Password:${p}}`],
  ['a password behind the name of an object', `rotated "db-password": ${p}`],
  ['a password under colours', `\u001b[32mpassword\u001b[0m=\u001b[31m${p}\u001b[0m`],
  [
    'a password split by zero-width characters',
    `pass\u200bword=hun\u200dter2${'Canary'}!x`,
    ['ter2', 'Canary'],
  ],
  ['a token behind a percent-encoded character', `redirect?u=x%3D${tokens[10]?.[1]}`, tokens[10]?.[1] ?? ''],
];

describe('redaction', () => {
  it.each(tokens)('removes %s that is the whole text', (_, token) => {
    for (const text of [token, `using ${token}.`, `"${token}"`, `x=${token};`, `(${token})`]) {
      expect(redact(text)).not.toContain(token.slice(-12));
      expect(redact(text)).toMatch(/\[redacted (?:token|key|credentials)\]/u);
    }
  });

  it.each(written)('removes a secret from %s', (_, text: string, gone: string | readonly string[] = p) => {
    const result = redact(text);
    for (const secret of [gone].flat()) expect(result).not.toContain(secret);
    expect(result).toMatch(/\[redacted [a-z ]+\]/u);
    expect(redact(result)).toBe(result);
    expect(result.split('\n')).toHaveLength(text.split('\n').length);
  });

  it('has a large corpus of secrets', () => {
    expect(written.length + tokens.length).toBeGreaterThanOrEqual(150);
  });
});
