#!/usr/bin/env bash
# A monitor of ping-monitor 0.8.2 with `protocol: 'udp'` for a port on which nothing listens. The description
# offers UDP for servers.
# Guess: an event `down` or `error`, because the system refuses the packet and no answer arrives.
# Seen:  an event `up` with status 200. The package waits for the packet to be sent and not for an answer, so
#        each port is up.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund ping-monitor@0.8.2 >/dev/null 2>&1
cat >udp.js <<'JS'
const { createSocket } = require('node:dgram');
const Monitor = require('ping-monitor');
const socket = createSocket('udp4').bind(0, '127.0.0.1', () => {
  const { port } = socket.address();
  socket.close(() => {
    console.log = () => undefined;
    const monitor = new Monitor({ address: '127.0.0.1', port, interval: 60, protocol: 'udp' });
    for (const name of ['up', 'down', 'error', 'timeout']) {
      monitor.on(name, (...values) => {
        console.info(`${name}, status ${values.find((value) => value?.statusCode)?.statusCode}`);
        process.exit(0);
      });
    }
  });
});
JS
timeout 60 node udp.js | tee seen
diff seen - <<'OUT'
up, status 200
OUT
