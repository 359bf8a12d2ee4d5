#!/usr/bin/env bash
# PromQL queries as values of the option qs by phin-retry 2.0.0. A local server prints the query that it
# receives.
# Guess: each query as it was given.
# Seen:  values are not encoded: a plus sign becomes a space, and what follows an ampersand is another
#        parameter.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund phin-retry@2.0.0 >/dev/null 2>&1
cat >run.js <<'JS'
const http = require('node:http');
const phin = require('phin-retry');

const server = http.createServer((request, response) => {
  const { searchParams } = new URL(request.url, 'http://prometheus');
  console.log(`  ${JSON.stringify(Object.fromEntries(searchParams))}`);
  response.end('{}');
});
server.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${server.address().port}/api/v1/query`;
  for (const query of ['up', 'up+1', 'up{path="/?a=1&b=2"}']) {
    console.log(query);
    await phin.get({ url, qs: { query } });
  }
  process.exit(0);
});
JS
node run.js | tee seen
diff seen - <<'OUT'
up
  {"query":"up"}
up+1
  {"query":"up 1"}
up{path="/?a=1&b=2"}
  {"query":"up{path=\"/?a=1","b":"2\"}"}
OUT
