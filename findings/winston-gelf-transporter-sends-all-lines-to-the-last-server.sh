#!/usr/bin/env bash
# Two transports of winston-gelf-transporter 1.0.2 in one program: one for a server of the application, one for a server of the audit. Each
# gets a line of its own. The servers are two UDP sockets, which skip the 12 bytes of a chunk header.
# Guess: one line at each server.
# Seen:  both lines arrive at the server of the transport that was made last. The settings are kept in a library that is shared by all
#        transports, and the constructor overwrites them.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund winston-gelf-transporter@1.0.2 winston@3.17.0 >/dev/null 2>&1
cat >send.js <<'JS'
const { createSocket } = require('node:dgram');
const { once } = require('node:events');
const { inflateSync } = require('node:zlib');
const { default: GelfTransporter } = require('winston-gelf-transporter');

async function run() {
  const received = [];
  const servers = [];
  for (const name of ['application', 'audit']) {
    const server = createSocket('udp4', (packet) => received.push(`${JSON.parse(inflateSync(packet.subarray(12))).short_message} arrived at ${name}`));
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
  }
  const transports = servers.map((server) => new GelfTransporter({ host: '127.0.0.1', port: server.address().port }));
  transports[0].log({ level: 'info', message: 'line of application' }, () => {});
  transports[1].log({ level: 'info', message: 'line of audit' }, () => {});
  while (received.length < 2) await new Promise(setImmediate);
  console.log(received.sort().join('\n'));
  process.exit();
}
run();
JS
timeout 60 node --no-warnings send.js | tee seen
diff seen - <<'OUT'
line of application arrived at audit
line of audit arrived at audit
OUT
