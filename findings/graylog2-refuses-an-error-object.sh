#!/usr/bin/env bash
# A text and an error are logged by graylog2 0.2.1, which has a case for errors with a stack. A local UDP
# server answers in place of Graylog and prints what it receives.
# Guess: two messages, and the second one has the message and the stack of the error.
# Seen:  the call with the error raises an error of its own, and nothing is sent.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund graylog2@0.2.1 >/dev/null 2>&1
cat >run.js <<'JS'
const dgram = require('node:dgram');
const { inflateSync } = require('node:zlib');
const { graylog } = require('graylog2');
const server = dgram.createSocket('udp4');
server.on('message', (bytes) => {
  const text = bytes[0] === 0x7b ? bytes : inflateSync(bytes);
  console.log(`received: ${JSON.parse(text).short_message}`);
});
server.bind(0, '127.0.0.1', () => {
  const logger = new graylog({ servers: [{ host: '127.0.0.1', port: server.address().port }] });
  logger.error('the rollout is late');
  try {
    logger.error(new Error('the rollout is stuck'));
  } catch (error) {
    console.log(`raised: ${error.message}`);
  }
  setTimeout(() => process.exit(0), 500);
});
JS
node --no-deprecation run.js | tee seen
diff seen - <<'OUT'
raised: Cannot read properties of undefined (reading 'split')
received: the rollout is late
OUT
