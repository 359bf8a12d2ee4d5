#!/usr/bin/env bash
# Two messages in two chunks each, received by the server of graygelf 2.0.0 in turns, as from two senders. By
# the specification of GELF the id of a message has eight bytes. The ids differ in the last byte, then in the
# first.
# Guess: two messages for each pair of ids.
# Seen:  the server reads six bytes of the id. Two ids that differ behind them are one message: the second one
#        is lost without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund graygelf@2.0.0 >/dev/null 2>&1
cat >chunks.js <<'JS'
const createServer = require('graygelf/server');
const split = (id, text) => {
  const json = JSON.stringify({ short_message: text });
  const head = (number) => Buffer.from([0x1e, 0x0f, ...Buffer.from(id), number, 2]);
  return [json.slice(0, 12), json.slice(12)].map((part, number) => Buffer.concat([head(number), Buffer.from(part)]));
};
for (const ids of [['node-1-1', 'node-1-2'], ['a-node-1', 'b-node-1']]) {
  const server = createServer();
  const received = [];
  server.on('message', (message) => received.push(message.short_message));
  const [first, second] = [split(ids[0], 'pod is late'), split(ids[1], 'pod is gone')];
  for (const packet of [first[0], second[0], first[1], second[1]]) server._message(packet);
  console.log(`${ids.join(' and ')}: ${received.join(', ')}`);
}
JS
node chunks.js | tee seen
diff seen - <<'OUT'
node-1-1 and node-1-2: pod is late
a-node-1 and b-node-1: pod is late, pod is gone
OUT
