#!/usr/bin/env bash
# Counters of dogstatsd-node 0.0.1 raised by 2 and by 0, and a gauge set to 0, as they arrive at a socket.
# Guess: the values 2, 0 and 0.
# Seen:  a counter that is raised by 0 is raised by 1. A program that adds the number of restarts of each interval counts one in each interval
#        without a restart. The gauge is right.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund dogstatsd-node@0.0.1 >/dev/null 2>&1
cat >send.js <<'JS'
const { createSocket } = require('node:dgram');
const { once } = require('node:events');
const { StatsD } = require('dogstatsd-node');

async function run() {
  const receiver = createSocket('udp4').bind(0, '127.0.0.1');
  await once(receiver, 'listening');
  const client = new StatsD('127.0.0.1', receiver.address().port);
  const stats = [client.increment('restarts', 2), client.increment('restarts', 0), client.gauge('unready', 0)];
  for (const stat of stats) {
    stat.send();
    const [message] = await once(receiver, 'message');
    console.log(`given ${stats.indexOf(stat) === 0 ? 2 : 0}: ${message}`);
  }
  process.exit();
}
run();
JS
timeout 60 node --no-warnings send.js | tee seen
diff seen - <<'OUT'
given 2: restarts:2|c
given 0: restarts:1|c
given 0: unready:0|g
OUT
