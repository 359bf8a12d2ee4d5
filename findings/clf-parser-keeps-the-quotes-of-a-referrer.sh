#!/usr/bin/env bash
# Lines of an access log in the combined format, read by clf-parser 0.0.2.
# Guess: the referrer and the agent without their quotes, and no value for "-", as for the user and the agent.
# Seen:  the referrer keeps its quotes, so a missing one is the text "-" in quotes.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund clf-parser@0.0.2 >/dev/null 2>&1
cat >read.js <<'JS'
const parse = require('clf-parser');
const start = '10.0.0.1 - - [30/Nov/2026:15:04:05 +0000] "GET / HTTP/1.1" 200 5';
for (const end of ['"https://shop.example/" "curl/8.0"', '"-" "-"']) {
  const { remote_user, http_referer, http_user_agent } = parse(`${start} ${end}`);
  console.log(JSON.stringify({ remote_user, http_referer, http_user_agent }));
}
JS
node read.js | tee seen
diff seen - <<'OUT'
{"remote_user":null,"http_referer":"\"https://shop.example/\"","http_user_agent":"curl/8.0"}
{"remote_user":null,"http_referer":"\"-\"","http_user_agent":null}
OUT
