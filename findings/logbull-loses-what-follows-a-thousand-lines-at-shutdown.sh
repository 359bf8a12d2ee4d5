#!/usr/bin/env bash
# A program that writes 1500 lines with logbull 0.2.0 to a local server and shuts the logger down, once with
# `shutdown`, and once with `flush` before it.
# Guess: the server receives 1500 lines, because `shutdown` sends what is left.
# Seen:  1000 lines without `flush`. The package sends one batch at shutdown, and its timer does not run any more for
#        the rest.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund logbull@0.2.0 >/dev/null 2>&1
cat >lines.js <<'JS'
const http = require('node:http');
const { LogBullLogger } = require('logbull');
let received = 0;
const server = http.createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  received += JSON.parse(body).logs.length;
  response.setHeader('connection', 'close').end('{"rejected":0}');
});
server.listen(0, '127.0.0.1', async () => {
  const host = `http://127.0.0.1:${server.address().port}`;
  server.unref();
  console.log = () => undefined;
  const log = new LogBullLogger({ projectId: '12345678-1234-1234-1234-123456789012', host });
  for (let line = 0; line < 1500; line += 1) log.info('scaled');
  if (process.argv.includes('flush')) log.flush();
  await log.shutdown();
});
process.on('beforeExit', () => console.info(`${process.argv.slice(2).join(' and ')}: ${received} lines`));
JS
(timeout 60 node lines.js shutdown && timeout 60 node lines.js flush shutdown) | tee seen
diff seen - <<'OUT'
shutdown: 1000 lines
flush and shutdown: 1500 lines
OUT
