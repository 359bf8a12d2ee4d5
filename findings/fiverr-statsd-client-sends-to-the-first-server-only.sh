#!/usr/bin/env bash
# Two clients of @fiverr/statsd-client 1.1.2 with `protocol: 'TCP'` and two local servers. Each client counts
# one value.
# Guess: each server receives the value of its client.
# Seen:  the first server receives both values and the second none. All clients of a process share one socket.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @fiverr/statsd-client@1.1.2 >/dev/null 2>&1
cat >servers.js <<'JS'
const { createServer } = require('node:net');
const { once } = require('node:events');
const Client = require('@fiverr/statsd-client');
(async () => {
  const received = { first: '', second: '' };
  const clients = [];
  for (const name of ['first', 'second']) {
    const server = createServer((socket) => socket.on('data', (data) => (received[name] += data)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    clients.push(new Client({ host: '127.0.0.1', port: server.address().port, protocol: 'TCP', prefix: name }));
  }
  for (const client of clients) {
    client.count('restarts');
    client.flush();
  }
  const all = () => (received.first + received.second).match(/restarts/g)?.length === 2;
  while (!all()) await new Promise((resolve) => setTimeout(resolve, 10));
  for (const name of ['first', 'second']) {
    console.log(`${name} server: ${received[name].match(/(first|second)\.restarts/g)?.join(', ') ?? 'nothing'}`);
  }
  process.exit(0);
})();
JS
timeout 60 node servers.js | tee seen
diff seen - <<'OUT'
first server: first.restarts, second.restarts
second server: nothing
OUT
