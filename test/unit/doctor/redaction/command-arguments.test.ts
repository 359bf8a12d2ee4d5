import { describe } from 'vitest';
import { itRedacts, type Row } from './redacted.js';

const q = ['Tr0ub4', 'dor3x'].join('');

describe('flags of commands', () => {
  const withUsers = 'curl -u,curl --user,curl --proxy-user,http -a,https -a,xh -a,ht -a'.split(',');
  const attached = 'mysql mysqldump mariadb mariadb-dump 7z 7za /usr/bin/mysql'.split(' ');
  const ofMongo =
    'mongo mongosh az oc influx rabbitmqadmin clickhouse-client clickhouse arangosh cypher-shell nats helm skopeo podman nerdctl twine'.split(
      ' ',
    );
  const upper = 'sqlcmd bcp isql tsql mosquitto_pub mqtt unzip zip 7z'.split(' ');
  itRedacts('password', [
    ...withUsers.map((command): Row => [`${command} app:‹${q}› https://shop`]),
    ...attached.map((command): Row => [`${command} -p‹qwertyuiop› shop`]),
    ...attached.slice(0, 4).map((command): Row => [`${command} -p qwertyuiop`]),
    ...ofMongo.map((command): Row => [`${command} -p ‹qwertyuiop› shop`]),
    ...upper.map((command): Row => [`${command} -P ‹qwertyuiop› shop`]),
    ...upper.map((command): Row => [`${command} -P‹qwertyuiop› shop`]),
    [`smbclient -U app%‹${q}› //shop`],
    [`smbclient --user=app%‹${q}› //shop`],
    [`smbclient -U app ${q}`],
    [`lftp -u app,‹${q}› sftp://shop`],
    [`lftp -u app sftp://shop`],
    [`curl --user=app:‹${q}› https://shop`],
    [`curl -u "app:‹two words›" https://shop`],
    [`curl -u 'app@shop.example\\team-1:‹${q}›' https://shop`],
    [`curl -u ${'a'.repeat(64)}:‹${q}› x`],
    [`curl -u ${'a'.repeat(65)}:${q} x`],
    [`curl -u a+b:${q} x`],
    [`curl -u :${q} x`],
    ['docker run -u 1000:1000 web'],
    ['docker run -u 1000:‹qwerty› web'],
    [`curl -u $USER:$PASS x`],
    [`openssl rsa -passin pass:‹qwertyuiop› -in a`],
    [`openssl rsa -passout pass:‹qwertyuiop› -in a`],
    [`openssl rsa -pass ‹pass:qwertyuiop› -in a`],
    [`openssl rsa -k pass:‹qwertyuiop› -in a`],
    ['openssl rsa -passin env:qwertyuiop -in a'],
    ['openssl rsa -passin file:qwertyuiop -in a'],
    [`sshpass -p ‹qwertyuiop› ssh shop`],
    [`sshpass -p‹qwertyuiop› ssh shop`],
    [`docker login -p ‹qwertyuiop› shop`],
    [`redis-cli -a ‹qwertyuiop› ping`],
    [`valkey-cli -a ‹qwertyuiop› ping`],
    ['redis-cli -aqwertyuiop ping'],
    [`ldapsearch -w ‹qwertyuiop› -x`],
    [`ldapmodify -w ‹qwertyuiop› -x`],
    ['oldapsearch -w qwertyuiop -x'],
    ['mkdir -p qwertyuiop'],
    ['ls -a qwertyuiop'],
    ['redis-cli -a --no-auth-warning ping'],
    ['redis-cli -a\nqwertyuiop'],
    ['redis-cli -a'],
    [`redis-cli -h db -p 6379 -a ‹qwertyuiop›`],
    [`redis-cli \\\n  -a ‹qwertyuiop› ping`],
    ['redis-cli ping; grep -a qwertyuiop'],
    ['redis-cli ping && grep -a qwertyuiop'],
    ['redis-cli ping | grep -a qwertyuiop'],
    ['redis-cli ping || grep -a qwertyuiop'],
    ['redis-cli ping & grep -a qwertyuiop'],
    ['redis-cli ping\ngrep -a qwertyuiop'],
    [`["redis-cli","-a","‹qwertyuiop›","ping"]`],
    [`["redis-cli", "-a", "‹qwertyuiop›"]`],
    [`(redis-cli -a '‹two words›')`],
    [`redis-cli -a "‹it's mine›" ping`],
    [`redis-cli -a "‹open› ping`],
  ]);
});

describe('arguments of commands', () => {
  itRedacts('password', [
    [`rabbitmqctl add_user app ‹qwertyuiop›`],
    [`rabbitmqctl change_password app ‹qwertyuiop›`],
    [`rabbitmqctl authenticate_user app ‹qwertyuiop› now`],
    [`rabbitmqctl add_user --quiet app ‹qwertyuiop›`],
    ['rabbitmqctl list_users app qwertyuiop'],
    ['rabbitmqctl add_user_x app qwertyuiop'],
    ['other add_user app qwertyuiop'],
    ['rabbitmqctl add_user app'],
    ['rabbitmqctl add_user app\nqwertyuiop'],
    ['rabbitmqctl add_user app; echo qwertyuiop'],
    [`composer config http-basic.shop.example app ‹qwertyuiop›`],
    ['composer config http-basics app qwertyuiop'],
    [`mc alias set shop https://shop app ‹qwertyuiop›`],
    [`mc config host add shop https://shop app ‹qwertyuiop›`],
    ['mc alias setx shop https://shop app qwertyuiop'],
    [`htpasswd -b users app ‹qwertyuiop›`],
    [`htpasswd -cb users app ‹qwertyuiop›`],
    [`htpasswd -Bbc users app ‹qwertyuiop›`],
    [`htpasswd -nb app ‹qwertyuiop›`],
    [`htpasswd -bn app ‹qwertyuiop›`],
    [`htpasswd -nbB app ‹qwertyuiop›`],
    ['htpasswd -c users app qwertyuiop'],
    ['htpasswd -n app qwertyuiop'],
  ]);
});

describe('statements of configuration files and SQL', () => {
  itRedacts('password', [
    [`requirepass ‹qwertyuiop›`],
    [`masterauth ‹qwertyuiop›`],
    ['requirepass'],
    ['a requirepass'],
    [`AUTH ‹abc123›`],
    [`AUTH app ‹abc123›`],
    [`auth ‹abc123›`],
    [`auth app ‹abc123›`],
    ['AUTH abc12'],
    ['AUTH qwertyuiop'],
    ['the auth abc123'],
    [`> AUTH app ‹abc123›`],
    [`CREATE USER app IDENTIFIED BY '‹two words›';`],
    [`create user app identified by '‹qwertyuiop›'`],
    [`CREATE USER app IDENTIFIED BY ‹${q};›`],
    [`CREATE USER app IDENTIFIED WITH mysql_native AS '‹qwertyuiop›'`],
    [`CREATE USER app IDENTIFIED WITH mysql_native BY '‹qwertyuiop›'`],
    [`CREATE USER app IDENTIFIED BY PASSWORD '‹qwertyuiop›'`],
    [`CREATE USER app IDENTIFIED BY "‹qwertyuiop›"`],
    ['it was identified by people'],
    [`it was unidentified by '${q}'`],
    [`identified by a b c d '${q}'`],
    [`CREATE ROLE app PASSWORD '‹qwertyuiop›'`],
    [`ALTER ROLE app WITH password '‹qwertyuiop›'`],
    ['the password of people'],
    [`machine shop login app password ‹qwertyuiop›`],
    ['machine shop logon app password qwertyuiop'],
    [`ALTER ROLE app PASSWORD 'qwertyuiop`],
  ]);
});

describe('values that a pipe passes on', () => {
  itRedacts('password', [
    [`echo ‹qwertyuiop› | docker login --password-stdin`],
    [`echo -n ‹qwertyuiop› | docker login --password-stdin`],
    [`echo -n -e ‹qwertyuiop› | docker login --password-stdin`],
    [`echo -nEe ‹qwertyuiop› | docker login --password-stdin`],
    [`echo "‹two words›" | docker login --password-stdin`],
    [`echo '‹two words›'| docker login --password-stdin`],
    [`echo ‹qwertyuiop›    | docker login --password-stdin`],
    [`printf '%s' ‹qwertyuiop› | docker login --password-stdin`],
    [`printf '%s\\n' ‹qwertyuiop› | docker login --password-stdin`],
    [`printf %s ‹qwertyuiop› | docker login --password-stdin`],
    [`echo ‹qwertyuiop› | sudo -S id`],
    [`echo app:‹qwertyuiop› | chpasswd`],
    [`echo ‹qwertyuiop› | kubectl create secret x --from-file=a`],
    [`echo ‹${q}› | base64`],
    [`echo ‹${q}› | passwd app`],
    ['echo qwertyuiop | base64'],
    ['echo qwertyuiop | grep x'],
    ['echo qwertyuiop\nx | docker login --password-stdin'],
    ['cat qwertyuiop | docker login --password-stdin'],
    ['echo two words | docker login --password-stdin'],
    ['echo -n'],
    ['echo "" | docker login --password-stdin'],
  ]);
});

describe('lines of .pgpass', () => {
  itRedacts('password', [
    [`db.shop-1:5432:shop_db:app:‹qwertyuiop›`],
    [`*:*:*:app:‹qwertyuiop›\nx`],
    ['db:543210:shop:app:qwertyuiop'],
    ['db:x:shop:app:qwertyuiop'],
    ['db:5432:shop:app'],
    ['db:5432:shop:app:a:qwertyuiop'],
    ['db:5432::app:qwertyuiop'],
    ['x db:5432:shop:app:qwertyuiop'],
    ['db:5432:shop:app:qwertyuiop x'],
    ['d/b:5432:shop:app:qwertyuiop'],
  ]);
});

describe('literals of commands that write secrets', () => {
  itRedacts('secret', [
    [`kubectl create secret generic x --from-literal=a=‹qwertyuiop›`],
    [`kubectl create secret generic x --from-literal a=‹qwertyuiop› --dry-run`],
    [`kubectl create secret generic x "--from-literal=a=‹qwertyuiop›"`],
    [`kubectl create secret generic x --from-literal=a='‹two words›'`],
    ['kubectl create secret generic x --from-literal=a'],
    ['kubectl create configmap x --from-literal=a=qwertyuiop'],
    ['kubectl create cm x --from-literal=a=qwertyuiop'],
    ['kubectl create secret generic x --from-literal=a=@file'],
    [`vault kv put shop/db a=‹qwertyuiop› b=‹abcdef›`],
    [`vault kv patch shop/db a=‹qwertyuiop›`],
    [`vault write shop/db a=‹qwertyuiop›`],
    [`bao kv put shop/db a=‹qwertyuiop›`],
    ['vault kv put shop/db a=@file'],
    ['vault kv get shop/db a=qwertyuiop'],
    ['other kv put shop/db a=qwertyuiop'],
    ['vault kv put shop/db a'],
    ['vault kv put shop/db a=true'],
  ]);
});
