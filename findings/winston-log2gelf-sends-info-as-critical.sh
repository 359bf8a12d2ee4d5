#!/usr/bin/env bash
# Lines of four levels, sent by the transport of winston-log2gelf 2.4.1. GELF has the levels of syslog: 3 is an error, 4 a warning, 6 is
# informational and 7 is debug.
# Guess: 3, 4, 6 and 7.
# Seen:  the position of the level in the list of winston is sent. Graylog shows an error as an emergency and an informational line as
#        critical. A level that is not in the list, such as `http`, is an emergency as well.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund winston-log2gelf@2.4.1 >/dev/null 2>&1
cat >send.js <<'JS'
const Transport = require('winston-log2gelf');
const transport = new Transport({ protocol: 'http' });
transport.send = (message) => {
  const { level, short_message: text } = JSON.parse(message);
  console.log(`${text}: ${level}`);
};
for (const level of ['error', 'warn', 'info', 'debug', 'http']) transport.log({ level, message: level }, () => {});
JS
node send.js | tee seen
diff seen - <<'OUT'
error: 0
warn: 1
info: 2
debug: 4
http: 0
OUT
