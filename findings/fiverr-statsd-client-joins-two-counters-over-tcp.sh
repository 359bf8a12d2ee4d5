#!/usr/bin/env bash
# Two counters of @fiverr/statsd-client 1.1.2 with `protocol: 'TCP'`, sent one after the other to a local
# server. StatsD over TCP ends each metric with a line break.
# Guess: two lines.
# Seen:  one text without a line break. The client separates the metrics of one packet and ends none, so the
#        last metric of a packet and the first of the next are one invalid line.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @fiverr/statsd-client@1.1.2 >/dev/null 2>&1
cat >join.js <<'JS'
const { createServer } = require('node:net');
const Client = require('@fiverr/statsd-client');
let received = '';
const server = createServer((socket) => {
  socket.on('data', (data) => {
    received += data;
    if (!received.includes('evictions')) return;
    console.log(JSON.stringify(received));
    process.exit(0);
  });
});
server.listen(0, '127.0.0.1', () => {
  const client = new Client({ host: '127.0.0.1', port: server.address().port, protocol: 'TCP' });
  for (const name of ['restarts', 'evictions']) {
    client.count(name);
    client.flush();
  }
});
JS
timeout 60 node join.js | tee seen
diff seen - <<'OUT'
"restarts:1|cevictions:1|c"
OUT
