#!/usr/bin/env bash
# A line sent by nestjs-loki-logger 0.0.5 with `gzip: true`. A server takes the place of Loki.
# Guess: a compressed body with `Content-Encoding: gzip`.
# Seen:  the header becomes `application/gzip`, the name of a type of file and not of an encoding, and the body stays plain JSON.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund nestjs-loki-logger@0.0.5 >/dev/null 2>&1
cat >log.js <<'JS'
require('reflect-metadata');
const { createServer } = require('node:http');
const { buffer } = require('node:stream/consumers');
const { LokiLogger } = require('nestjs-loki-logger');

const server = createServer(async (request, response) => {
  const body = await buffer(request);
  const compressed = body[0] === 0x1f && body[1] === 0x8b;
  console.log(`encoding ${request.headers['content-encoding']}, body ${compressed ? 'compressed' : 'plain'}`);
  response.writeHead(204).end(() => process.exit());
});
server.listen(0, '127.0.0.1', () => {
  const Logger = LokiLogger.forRoot({ lokiUrl: `http://127.0.0.1:${server.address().port}`, labels: {}, gzip: true });
  new Logger('rollouts').log('web is stuck');
});
JS
node log.js | tee seen
diff seen - <<'OUT'
encoding application/gzip, body plain
OUT
