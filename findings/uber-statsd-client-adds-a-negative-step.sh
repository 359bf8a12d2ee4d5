#!/usr/bin/env bash
# Counters of uber-statsd-client 1.7.3: `counter` and `increment` with a change of -2, and `decrement` with -2.
# Guess: `counter` and `increment` send -2, and `decrement` sends 2.
# Seen:  `increment` sends 2 and `decrement` sends -2. Both use the size of the change only, so a correction of
#        a counter goes in the wrong direction.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund uber-statsd-client@1.7.3 >/dev/null 2>&1
cat >change.js <<'JS'
const { createSocket } = require('node:dgram');
const { once } = require('node:events');
const createClient = require('uber-statsd-client');
const server = createSocket('udp4').bind(0, '127.0.0.1');
server.on('listening', async () => {
  const client = createClient({ host: '127.0.0.1', port: server.address().port, packetQueue: { flush: 10 } });
  for (const method of ['counter', 'increment', 'decrement']) {
    client[method]('pods', -2);
    const [packet] = await once(server, 'message');
    console.log(`${method} with -2: ${String(packet).trim()}`);
  }
  process.exit(0);
});
JS
timeout 60 node change.js 2>/dev/null | tee seen
diff seen - <<'OUT'
counter with -2: pods:-2|c
increment with -2: pods:2|c
decrement with -2: pods:-2|c
OUT
