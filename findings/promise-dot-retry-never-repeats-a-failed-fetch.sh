#!/usr/bin/env bash
# Three attempts by pretry of promise.retry 2.1.0 at a port that refuses connections: by fetch of Node and
# by its module http. The description states how many times a call is tried, and names no error that ends it.
# Guess: three attempts each.
# Seen:  fetch is called once only. It reports each failure of the network as a TypeError, and the package
#        repeats no call that ended with one.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund promise.retry@2.1.0 >/dev/null 2>&1
cat >run.js <<'JS'
const http = require('node:http');
const net = require('node:net');
const { pretry } = require('promise.retry');
const closed = net.createServer().listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${closed.address().port}`;
  closed.close(async () => {
    const byHttp = () => new Promise((resolve, reject) => http.get(url, resolve).on('error', reject));
    for (const [name, call] of [['http', byHttp], ['fetch', () => fetch(url)]]) {
      let calls = 0;
      const attempt = () => {
        calls += 1;
        return call();
      };
      const error = await pretry(attempt, { times: 3 })().catch((reason) => reason);
      console.log(`${name}: ${calls} calls, then ${error.name}`);
    }
  });
});
JS
node run.js | tee seen
diff seen - <<'OUT'
http: 3 calls, then RetryError
fetch: 1 calls, then TypeError
OUT
