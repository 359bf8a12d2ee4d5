import { describe } from 'vitest';
import { commands } from '#src/doctor/redaction/commands.js';
import { urlCredentials } from '#src/doctor/redaction/url-credentials.js';
import { mixed, password as p } from './canaries.js';
import { itTakes, type Marked } from './marked.js';

describe('a password in a command or a file', () => {
  itTakes(commands, 'password', [
    ['curl -u', `curl -sS -u app:‹${p}› https://x/`],
    ['curl --user', `curl --user app:‹${p}› https://x/`],
    ['wget --user=', `wget --user=app:‹${p}› x`],
    ['curl --proxy-user', `curl --proxy-user "app:‹${p}›" x`],
    ['a user and password in quotes, with spaces', `curl -u 'app:‹two ${p} words›' x`],
    ['not a word on the next line', 'tool -u\napp:hunter2x'],
    ['a word on the next line of the same command', `curl -u \\\n  app:‹${p}› x`],
    ['not a user and a group of several digits', 'docker run -u 1000:1000 x'],
    ['rabbitmqctl add_user', `rabbitmqctl add_user shop ‹${p}›`],
    ['not a user of rabbitmqctl alone', 'rabbitmqctl add_user shop2\nhunter2x'],
    ['composer', `composer config http-basic.r.example.com ci ‹${p}›`],
    ['htpasswd -nb', `htpasswd -nb app ‹${p}›`],
    ['htpasswd -bc', `htpasswd -bc /etc/x app ‹${p}› > y`],
    ['echo into base64', `echo -n '‹${p}›' | base64`],
    ['not a word of prose into base64', 'echo -n hello | base64'],
    ['echo into chpasswd', `echo "root:‹${p}›" | chpasswd`],
    ['not what echo writes elsewhere', `echo ${p} | cat`],
    ['a list of words in quotes', `["redis-cli","-a","‹${p}›","ping"]`],
    ['not a flag of a program before a pipe', `redis-cli ping | tool -a ${p}`],
    ['not a flag of a program before a semicolon', `redis-cli ping; tool -a ${p}`],
    ['not a flag that only ends so', 'tool --no-u app:hunter2x'],
    ['not a variable', 'curl -u app:$(APP_PASSWORD) x'],
    ['not a user and a group of one digit', 'docker run -u 0:0 x'],
    ['mysql', `mysql -p‹${p}›`],
    ['mysql with a user', `mysql -u root -p‹${p}› shop`],
    ['mysqldump with a host and a user', `mysqldump -h db -u root -p‹${p}› shop`],
    ['mariadb in quotes', `mariadb -u root -p'‹${p}›' shop`],
    ['mysqladmin in quotes, with spaces', `mysqladmin -p"‹two ${p} words›" ping`],
    ['not mysql that asks for it', 'mysql -u root -p shop'],
    ['not a port of mysql', 'mysql -h db --port=3306 -P 3306 shop'],
    ['sshpass', `sshpass -p ‹${p}› ssh host`],
    ['sshpass without a space', `sshpass -p‹${p}› ssh host`],
    ['sshpass in quotes, with spaces', `sshpass -p "‹two ${p} words›" ssh host`],
    ['sshpass with a quote that never closes', `sshpass -p "‹${p}› ssh host\nthe "next" line`],
    ['sshpass with the other quote inside', `sshpass -p '‹it never is "${p}"›' ssh`],
    ['docker login', `docker login -u bot -p ‹${p}› r.example.com`],
    ['sshpass with wide gaps', `sshpass  -p  ‹${p}›  ssh host`],
    ['mysql with wide gaps', `mysql  -u  root\t-p‹${p}›`],
    ['redis-cli with wide gaps', `redis-cli  -h  cache  -a\t‹${p}›`],
    ['not a file of sshpass', 'sshpass -f /run/secrets/ssh ssh host'],
    ['redis-cli', `redis-cli -a ‹${p}› ping`],
    ['redis-cli with a host', `redis-cli -h cache -a ‹${p}›`],
    ['redis-cli with a host and a port', `redis-cli -h cache -p 6379 -a "‹${p}›" ping`],
    ['not redis-cli alone', 'redis-cli -h cache ping'],
    ['requirepass', `requirepass ‹${p}›`],
    ['masterauth in quotes', `masterauth "‹${p}›"`],
    ['AUTH', 'AUTH ‹hunter2x›'],
    ['AUTH with a user', 'AUTH app ‹hunter2x›'],
    ['not AUTH without a digit', 'AUTH failed entirely'],
    ['not AUTH with five characters', 'AUTH abcd5'],
    ['not AUTH behind a hyphen', 'X-AUTH hunter2x'],
    ['IDENTIFIED BY', `CREATE USER app IDENTIFIED BY '‹${p} x›'`],
    ['identified by in small letters', `create user app identified by "‹${p}›"`],
    ['IDENTIFIED WITH … AS', `IDENTIFIED WITH mysql_native_password AS '‹${p}›'`],
    ['IDENTIFIED BY PASSWORD', `IDENTIFIED BY PASSWORD '‹${p}›' REQUIRE SSL`],
    ['PASSWORD in SQL', `ALTER ROLE app WITH PASSWORD '‹${p} x›' VALID UNTIL 'infinity'`],
    ['password in back quotes', `tried password \`‹${p}›\` once`],
    ['not a password that has expired', `password 'expired' of app`],
    ['a line of .netrc', `machine git.example.com login bot password ‹${p}›`],
    ['lines of .netrc', `machine git.example.com\n  login bot\n  password ‹${p}›\nmachine x`],
    ['a line of .pgpass', `db:5432:shop:app:‹${p}›`],
    ['a line of .pgpass among others', `# hosts\n*:*:*:app:‹${p}›\ndb:5432:shop:web:‹${p}›\n`],
    ['not five things with colons within a line', 'at db:5432:shop:app:hunter2x'],
    ['not five things with colons of which the second is no port', 'a:b:c:d:hunter2x'],
  ]);
});

describe('a URL keeps scheme, user, host and path', () => {
  itTakes(urlCredentials, 'password', [
    ['with a password', `dial postgres://app:‹${p}›@db:5432/shop failed`],
    ['with a password and no user', `redis://:‹${p}›@cache:6379/0`],
    ['in capitals', `HTTPS://app:‹${p}›@x.example.com/a`],
    ['with a scheme of several words', `mongodb+srv://app:‹${p}›@m1,m2/shop?replicaSet=rs0`],
    ['with @ in the password', `amqp://app:‹a@${p}›@mq:5672`],
    ['with @ in the password, over HTTP', `https://app:‹a@${p}›@mq/x`],
    ['with a slash in the password', `postgres://app:‹${p}/z›@db/shop`],
    ['with a slash in the password, over HTTP', `http://app:‹${p}/z›@db/shop`],
    ['with # and ? in the password', `mysql://app:‹a#${p}?b›@db/shop?parseTime=true`],
    ['in quotes', `{"url":"https://bot:‹${p}›@git.example.com/x.git"}`],
    ['in angle brackets', `<ftp://bot:‹${p}›@files.example.com>`],
    ['beside another', `amqp://a:‹${p}›@h1,amqp://c:‹${p}›@h2`],
    ['at the very start of its scheme', `x://a:‹${p}›@b`],
    ['without a password', 'postgres://app:@db/shop'],
    ['with a variable for a password', 'postgres://app:$(DB_PASSWORD)@db:5432/shop'],
    ['with a user only', 'ssh://git@github.com/shop/api.git'],
    ['with a user of nineteen characters', `https://${'u'.repeat(19)}@git.example.com`],
    ['with @ in its path', 'https://db.example.com:8443/path@v2/x'],
    ['with @ in its path and a port, over HTTP', 'http://db.example.com:8080/path@v2/x'],
    ['with @ in its path, by address', 'http://[2001:db8::1]:8080/path@v2/x'],
    ['with @ in its query', 'https://x.example.com/a?mail=b:c@d.example.com'],
    ['with a scope of npm', 'https://registry.example/@scope/pkg/-/pkg-1.0.0.tgz'],
    ['of an image', `docker-pullable://r.example.com:5000/app@sha256:${'0a'.repeat(32)}`],
    ['of an image without a port', `docker-pullable://nginx@sha256:${'0a'.repeat(32)}`],
    ['that is none', '://'],
  ]);

  itTakes(urlCredentials, 'token', [
    ['with a token for a user', `cloning https://‹${mixed(32)}›@git.example.com/x.git`],
    ['with a token of twenty characters', `https://‹${'u'.repeat(20)}›@git.example.com`],
  ]);
});

describe('a data source without a scheme keeps user and host', () => {
  itTakes(urlCredentials, 'password', [
    ...['tcp', 'tcp4', 'tcp6', 'unix', 'udp'].map(
      (net): Marked => [`of Go over ${net}`, `app:‹${p}›@${net}(db:3306)/shop?parseTime=true`],
    ),
    ['of Go in capitals', `app:‹${p}›@TCP(db:3306)/shop`],
    ['of Go with @ in the password', `app:‹a@${p}›@tcp(db:3306)/shop`],
    ['of Go with a variable', 'app:$(DB_PASSWORD)@tcp(db:3306)/shop'],
    ['of Go without a password', 'app:@tcp(db:3306)/shop'],
    ['of Oracle', `jdbc:oracle:thin:scott/‹${p}›@//db:1521/orcl`],
    ['not another net', `app:${p}@pipe(db)/shop`],
  ]);
});
