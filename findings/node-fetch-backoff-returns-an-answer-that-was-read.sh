#!/usr/bin/env bash
# A call through node-fetch-backoff 0.1.0 with one retry. The server fails the first request and answers the
# second with status 200. A second call has enough retries.
# Guess: both calls return an answer whose text can be read.
# Seen:  the answer after the last retry has status 200, and its text cannot be read any more: the package reads
#        it for its log before it checks the status. The call with one more retry returns the text.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund node-fetch-backoff@0.1.0 >/dev/null 2>&1
cat >calls.js <<'JS'
const http = require('node:http');
const createFetch = require('node-fetch-backoff');
let requests = 0;
const server = http.createServer((_request, response) => {
  requests += 1;
  response.statusCode = requests === 1 ? 503 : 200;
  response.end('pods');
});
server.listen(0, '127.0.0.1', async () => {
  for (const retries of [1, 2]) {
    requests = 0;
    const fetch = createFetch({ retries, delay: () => 1 });
    const answer = await fetch(`http://127.0.0.1:${server.address().port}`);
    const text = await answer.text().catch(() => 'cannot be read');
    console.log(`retries: ${retries}: status ${answer.status}, text: ${text}`);
  }
  server.close();
});
JS
node calls.js | tee seen
diff seen - <<'OUT'
retries: 1: status 200, text: cannot be read
retries: 2: status 200, text: pods
OUT
