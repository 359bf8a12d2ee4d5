#!/usr/bin/env bash
# A hundred gauges sent by dog-statsy 1.3.1 without the option `bufferSize`, "optional buffer size, if not defined, it will send the data
# immediately", and with the sizes 0 and 20. The lines of the first datagram are counted, and those that are held back at the end.
# Guess: without the option and with 0, one line in the first datagram and none held back.
# Seen:  both hold lines back until 1024 characters are reached. A program that sends a few values and ends sends none of them. Only a
#        size smaller than two lines sends each line by itself.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund dog-statsy@1.3.1 >/dev/null 2>&1
cat >send.js <<'JS'
const { createSocket } = require('node:dgram');
const { once } = require('node:events');
const Client = require('dog-statsy');

const count = (text) => String(text).split('\n').filter(Boolean).length;
async function run() {
  for (const options of [{}, { bufferSize: 0 }, { bufferSize: 20 }]) {
    const receiver = createSocket('udp4').bind(0, '127.0.0.1');
    await once(receiver, 'listening');
    const client = new Client({ host: '127.0.0.1', port: receiver.address().port, ...options });
    const first = once(receiver, 'message');
    for (let index = 0; index < 100; index += 1) client.gauge('unready', 1);
    console.log(`${JSON.stringify(options)}: first datagram ${count((await first)[0])}, held back ${count(client.buffer)}`);
  }
  process.exit();
}
run();
JS
timeout 60 node --no-warnings send.js | tee seen
diff seen - <<'OUT'
{}: first datagram 85, held back 15
{"bufferSize":0}: first datagram 85, held back 15
{"bufferSize":20}: first datagram 1, held back 1
OUT
