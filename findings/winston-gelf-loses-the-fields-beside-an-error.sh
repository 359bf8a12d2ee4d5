#!/usr/bin/env bash
# Two lines with the field `pod`, sent by winston-gelf 1.7.0: one with this field only, one with an error beside it. A UDP socket receives them
# and skips the 12 bytes of a chunk header.
# Guess: the field `pod` in both messages, and the error in the second.
# Seen:  in the second, the error takes the place of all fields. The lines that report a failure are those that do not state which pod
#        it concerns.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund winston-gelf@1.7.0 winston@3.17.0 >/dev/null 2>&1
cat >send.js <<'JS'
const { createSocket } = require('node:dgram');
const { inflateSync } = require('node:zlib');
const Transport = require('winston-gelf');

const received = [];
const server = createSocket('udp4', (packet) => {
  const message = JSON.parse(inflateSync(packet.subarray(12)));
  received.push(`${message.short_message}: pod ${message._pod}, error ${message._error_message}`);
  if (received.length < 2) return;
  console.log(received.sort().join('\n'));
  process.exit();
});
server.bind(0, '127.0.0.1', () => {
  const adapterOptions = { host: '127.0.0.1', port: server.address().port };
  const transport = new Transport({ gelfPro: { adapterName: 'udp', adapterOptions } });
  transport.log({ level: 'info', message: 'first line', pod: 'web-1' }, () => {});
  transport.log({ level: 'error', message: 'second line', pod: 'web-1', cause: new Error('no memory') }, () => {});
});
JS
timeout 60 node --no-warnings send.js | tee seen
diff seen - <<'OUT'
first line: pod web-1, error undefined
second line: pod undefined, error no memory
OUT
