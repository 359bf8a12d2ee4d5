#!/usr/bin/env bash
# A line with the version of a program, and a line with its release, from bunyan 1.8.15 by gelf-stream
# 1.1.1. A local UDP server answers in place of Graylog and prints what it receives.
# Guess: both are fields of their own, with the underscore that GELF requires.
# Seen:  the version has no underscore, so the message states a version of GELF that does not exist.
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
  console.log(JSON.stringify(rest));
});
server.bind(0, '127.0.0.1', () => {
  const stream = forBunyan('127.0.0.1', server.address().port);
  const log = bunyan.createLogger({ name: 'shop', hostname: 'node-1', streams: [{ type: 'raw', stream }] });
  log.info({ release: '2.4.1' }, 'started');
  log.info({ version: '2.4.1' }, 'started');
  setTimeout(() => process.exit(0), 500);
});
JS
node --no-deprecation run.js | tee seen
diff seen - <<'OUT'
{"short_message":"started","facility":"shop","level":6,"_release":"2.4.1","version":"1.0"}
{"short_message":"started","facility":"shop","level":6,"version":"2.4.1"}
OUT
