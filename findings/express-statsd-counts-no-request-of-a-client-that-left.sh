#!/usr/bin/env bash
# Two requests to a local server with express-statsd 0.3.0: one receives its answer, and the client of the other
# leaves before the answer is ready, as a probe does at its timeout.
# Guess: both requests are counted.
# Seen:  one is counted. The package removes its listener when the connection closes, so the requests that were
#        too slow for their clients are missing in the count and in the times.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund express-statsd@0.3.0 >/dev/null 2>&1
cat >leave.js <<'JS'
const http = require('node:http');
const createMiddleware = require('express-statsd');
const counted = [];
const middleware = createMiddleware({ client: { increment: (name) => counted.push(name), timing: () => undefined } });
const server = http.createServer((request, response) => {
  middleware(request, response);
  if (request.url === '/fast') return response.end();
  response.on('close', () => {
    console.log(`2 requests, counted: ${counted.length} (${counted.join(', ')})`);
    process.exit(0);
  });
  return slow.destroy();
});
let slow;
server.listen(0, '127.0.0.1', async () => {
  const address = `http://127.0.0.1:${server.address().port}`;
  await fetch(`${address}/fast`);
  slow = http.get(`${address}/slow`).on('error', () => undefined);
});
JS
timeout 60 node leave.js 2>/dev/null | tee seen
diff seen - <<'OUT'
2 requests, counted: 1 (status_code.200)
OUT
