#!/usr/bin/env bash
# Two calls, one after the other, through one function of node-fetch-backoff 0.1.0 with two retries. The server
# fails the first two requests of each call and answers the third.
# Guess: three requests and an answer with status 200 for each call.
# Seen:  the second call sends one request and returns status 503. The function counts its retries over all
#        calls and never starts again, so after the first slow hour of a server no later call is repeated.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund node-fetch-backoff@0.1.0 >/dev/null 2>&1
cat >calls.js <<'JS'
const http = require('node:http');
const createFetch = require('node-fetch-backoff');
const requests = {};
const server = http.createServer((request, response) => {
  requests[request.url] = (requests[request.url] ?? 0) + 1;
  response.statusCode = requests[request.url] < 3 ? 503 : 200;
  response.end('pods');
});
server.listen(0, '127.0.0.1', async () => {
  const fetch = createFetch({ retries: 2, delay: () => 1 });
  for (const path of ['/first', '/second']) {
    const { status } = await fetch(`http://127.0.0.1:${server.address().port}${path}`);
    console.log(`${path}: ${requests[path]} requests, status ${status}`);
  }
  server.close();
});
JS
node calls.js | tee seen
diff seen - <<'OUT'
/first: 3 requests, status 200
/second: 1 requests, status 503
OUT
