#!/usr/bin/env bash
# Two values added to one name in graphite-udp 1.2.0, which sums them up: "previous 10 + 20 = 30". First as numbers, then as texts, as the
# output of another command gives them. The client checks with `parseFloat` that a value is a number and skips any other.
# Guess: 30 in both cases, or the texts are skipped.
# Seen:  the texts pass the check and are joined: 1020 is sent as the sum, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund graphite-udp@1.2.0 >/dev/null 2>&1
cat >add.js <<'JS'
const { createSocket } = require('node:dgram');
const { createClient } = require('graphite-udp');
const receiver = createSocket('udp4', (packet) => {
  console.log(String(packet).trim().replace(/ \d+$/gm, ''));
  process.exit();
});
receiver.bind(0, '127.0.0.1', () => {
  const client = createClient({ port: receiver.address().port, interval: 10 });
  for (const value of [10, 20]) client.add('pods.number', value);
  for (const value of ['10', '20']) client.add('pods.text', value);
});
JS
timeout 60 node --no-warnings add.js | tee seen
diff seen - <<'OUT'
pods.number 30
pods.text 1020
OUT
