#!/usr/bin/env bash
# Two points with the field `ready`, sent by the command of influxdb-v1 1.0.4, `influxdb-v1 insert`: one with `ready=true`, one with `ready=false`.
# The command turns the texts `true` and `false` into booleans. A server on this machine prints what it receives.
# Guess: `ready=true` and `ready=false`, each with the timestamp of the option `--ts`.
# Seen:  `ready=true` for both, since any text counts as true. A pod that is not ready is recorded as ready. The timestamp is missing,
#        because the command reads it under another name.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund influxdb-v1@1.0.4 >/dev/null 2>&1
cat >receive.js <<'JS'
const { execFile } = require('node:child_process');
const { createServer } = require('node:http');
const { promisify } = require('node:util');

const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  console.log(body);
  response.writeHead(204).end();
}).listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  for (const ready of ['true', 'false']) {
    const options = ['--url', url, '--db', 'shop', '--measurement', 'pod', '--tags', 'name=web', '--fields', `ready=${ready}`, '--ts', '1767225600'];
    await promisify(execFile)('npx', ['--no-install', 'influxdb-v1', 'insert', ...options]);
  }
  process.exit();
});
JS
timeout 120 node receive.js | tee seen
diff seen - <<'OUT'
pod,name=web ready=true
pod,name=web ready=true
OUT
