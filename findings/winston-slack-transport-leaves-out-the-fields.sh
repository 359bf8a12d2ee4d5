#!/usr/bin/env bash
# A line of winston 2.4.7 with two fields, sent by winston-slack-transport 2.0.0 to a local webhook. The
# transport receives the fields.
# Guess: a text with the level, the message and the fields.
# Seen:  the level and the message only, so an alert does not state the pod and the node.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund winston-slack-transport@2.0.0 winston@2.4.7 request@2.88.2 >/dev/null 2>&1
cat >line.js <<'JS'
const http = require('node:http');
const winston = require('winston');
const Slack = require('winston-slack-transport');
const server = http.createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  response.end('ok');
  console.log(body);
  process.exit(0);
});
server.listen(0, '127.0.0.1', () => {
  const transport = new Slack({ webhook_url: `http://127.0.0.1:${server.address().port}` });
  new winston.Logger({ transports: [transport] }).error('no room', { pod: 'web-1', node: 'node-1' });
});
JS
node line.js 2>/dev/null | tee seen
diff seen - <<'OUT'
{"text":"*error* no room"}
OUT
