#!/usr/bin/env bash
# Three lines of bunyan 1.8.15, sent by bunyan-slack 1.0.0 to a local webhook: an error (50), a line of level
# 55, and a fatal line (60). Bunyan takes each whole number as a level.
# Guess: three messages.
# Seen:  two messages. The package finds no name for the level, fails, and drops the line without a report.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund bunyan-slack@1.0.0 bunyan@1.8.15 >/dev/null 2>&1
cat >levels.js <<'JS'
const http = require('node:http');
const bunyan = require('bunyan');
const { default: BunyanSlack } = require('bunyan-slack');
const server = http.createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  response.end('ok');
  console.log(JSON.parse(body).text);
  if (body.includes('60')) process.exit(0);
});
server.listen(0, '127.0.0.1', async () => {
  const stream = new BunyanSlack({ webhookUrl: `http://127.0.0.1:${server.address().port}` });
  const sent = [];
  const { write } = stream;
  stream.write = (record) => sent.push(write.call(stream, record));
  const log = bunyan.createLogger({ name: 'web', streams: [{ stream, level: 10 }] });
  for (const level of [50, 55, 60]) {
    log.fatal({ level }, `line of level ${level}`);
    await Promise.all(sent);
  }
});
JS
timeout 60 node levels.js | tee seen
diff seen - <<'OUT'
[ERROR] line of level 50
[FATAL] line of level 60
OUT
