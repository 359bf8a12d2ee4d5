#!/usr/bin/env bash
# A monitor of ping-monitor 0.8.2 for a port without a server: without a time limit, and with a
# `timeout` of 1000 ms in `httpOptions`.
# Guess: an event (`error` or `down`) in both cases.
# Seen:  no event with the time limit, and the monitor still states that the server is up. With a time limit,
#        the package takes each error for its own end of the request, so a service that refuses connections
#        is reported as up.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund ping-monitor@0.8.2 >/dev/null 2>&1
cat >refused.js <<'JS'
const http = require('node:http');
const net = require('node:net');
const Monitor = require('ping-monitor');
const address = 'http://127.0.0.1:';
const request = http.request;
let failures = 0;
http.request = (...options) => request(...options).on('error', () => (failures += 1));
const server = net.createServer().listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  server.close(async () => {
    console.log = () => undefined;
    for (const httpOptions of [{}, { timeout: 1000 }]) {
      const events = [];
      failures = 0;
      const monitor = new Monitor({ address: `${address}${port}`, interval: 60, httpOptions });
      for (const name of ['up', 'down', 'error', 'timeout', 'retry']) monitor.on(name, () => events.push(name));
      while (failures === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      await new Promise((resolve) => setImmediate(resolve));
      console.info(`${JSON.stringify(httpOptions)}: events: ${events.join(', ') || 'none'}, up: ${monitor.isUp}`);
      monitor.clearInterval();
    }
    process.exit(0);
  });
});
JS
timeout 60 node refused.js | tee seen
diff seen - <<'OUT'
{}: events: error, up: false
{"timeout":1000}: events: none, up: true
OUT
