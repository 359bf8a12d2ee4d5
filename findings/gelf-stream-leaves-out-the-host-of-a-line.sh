#!/usr/bin/env bash
# Lines that name another host, a port and a facility, from bunyan 1.8.15 by gelf-stream 1.1.1. A local UDP
# server answers in place of Graylog and prints the fields that it receives.
# Guess: each is a field of its own, with the underscore that GELF requires, beside the host and the
#        facility of the logger.
# Seen:  the host and the facility of the line are in no field, so no search by field finds them. The port
#        is there.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund gelf-stream@1.1.1 bunyan@1.8.15 >/dev/null 2>&1
cat >run.js <<'JS'
const dgram = require('node:dgram');
const { gunzipSync, inflateSync } = require('node:zlib');
const bunyan = require('bunyan');
const { forBunyan } = require('gelf-stream');
const server = dgram.createSocket('udp4');
server.on('message', (bytes) => {
  const text = bytes[0] === 0x1f ? gunzipSync(bytes) : inflateSync(bytes);
  const { full_message, timestamp, host, _pid, ...rest } = JSON.parse(text);
  console.log(JSON.stringify({ host, ...rest }));
});
server.bind(0, '127.0.0.1', () => {
  const stream = forBunyan('127.0.0.1', server.address().port);
  const log = bunyan.createLogger({ name: 'shop', hostname: 'node-1', streams: [{ type: 'raw', stream }] });
  log.warn({ host: 'database-2', port: 5432 }, 'no answer');
  log.warn({ facility: 'billing', port: 80 }, 'no answer');
  setTimeout(() => process.exit(0), 500);
});
JS
node --no-deprecation run.js | tee seen
diff seen - <<'OUT'
{"host":"node-1","short_message":"no answer","facility":"shop","level":4,"_port":5432,"version":"1.0"}
{"host":"node-1","short_message":"no answer","facility":"shop","level":4,"_port":80,"version":"1.0"}
OUT
