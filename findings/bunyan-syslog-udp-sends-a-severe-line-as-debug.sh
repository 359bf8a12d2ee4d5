#!/usr/bin/env bash
# Three lines of bunyan 1.8.15 through bunyan-syslog-udp 0.2.0 to a local UDP socket: an error (50), a line of
# level 55, and a fatal line (60). Bunyan takes each whole number as a level, and a higher number is more
# severe.
# Guess: severity 3 (error) for 50, at most 3 for 55, and at most 2 for 60.
# Seen:  the line of level 55 has severity 7 (debug). The package maps the named levels and takes all others for
#        debug.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund bunyan-syslog-udp@0.2.0 bunyan@1.8.15 >/dev/null 2>&1
cat >levels.js <<'JS'
const { createSocket } = require('node:dgram');
const { once } = require('node:events');
const bunyan = require('bunyan');
const { createBunyanStream } = require('bunyan-syslog-udp');
const server = createSocket('udp4').bind(0, '127.0.0.1');
server.on('listening', async () => {
  const stream = createBunyanStream({ host: '127.0.0.1', port: server.address().port });
  const log = bunyan.createLogger({ name: 'web', streams: [{ type: 'raw', level: 10, stream }] });
  for (const level of [50, 55, 60]) {
    log.fatal({ level }, 'refused');
    const [packet] = await once(server, 'message');
    console.log(`level ${level}: severity ${Number.parseInt(String(packet).slice(1), 10) % 8}`);
  }
  process.exit(0);
});
JS
node levels.js 2>/dev/null | tee seen
diff seen - <<'OUT'
level 50: severity 3
level 55: severity 7
level 60: severity 0
OUT
