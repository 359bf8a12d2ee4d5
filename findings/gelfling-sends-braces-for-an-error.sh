#!/usr/bin/env bash
# A text, an object and an error, converted to GELF by gelfling 0.3.1.
# Guess: the message of the error as the short message.
# Seen:  the short message is "{}", and the stack is lost. gelfling takes the fields of an object that a loop finds,
#        and an error has none.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund gelfling@0.3.1 >/dev/null 2>&1
cat >convert.js <<'JS'
const client = require('gelfling')('127.0.0.1', 12201);
for (const line of ['disk is full', { short_message: 'disk is full' }, new Error('disk is full')]) {
  const { host, timestamp, ...gelf } = client.convert(line);
  console.log(JSON.stringify(gelf));
}
JS
node convert.js | tee seen
diff seen - <<'OUT'
{"short_message":"disk is full","version":"1.0"}
{"short_message":"disk is full","version":"1.0"}
{"version":"1.0","short_message":"{}"}
OUT
