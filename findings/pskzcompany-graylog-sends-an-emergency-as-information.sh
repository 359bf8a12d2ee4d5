#!/usr/bin/env bash
# The levels of @pskzcompany/graylog 1.1.0, sent to a local UDP socket. In GELF and syslog, an emergency has the
# level 0, an alert 1, and information 6.
# Guess: levels 0, 1 and 6.
# Seen:  the emergency has level 6. The package takes 0 for a missing level, so the most urgent message is
#        filtered as information.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @pskzcompany/graylog@1.1.0 >/dev/null 2>&1
cat >levels.js <<'JS'
const { createSocket } = require('node:dgram');
const { once } = require('node:events');
const { default: Graylog } = require('@pskzcompany/graylog');
const server = createSocket('udp4').bind(0, '127.0.0.1');
server.on('listening', async () => {
  const log = new Graylog({ servers: [{ host: '127.0.0.1', port: server.address().port }] });
  for (const name of ['emergency', 'alert', 'info']) {
    log[name]('etcd has no leader');
    const [packet] = await once(server, 'message');
    console.log(`${name}: level ${JSON.parse(packet).level}`);
  }
  log.destroy();
  server.close();
});
JS
node levels.js | tee seen
diff seen - <<'OUT'
emergency: level 6
alert: level 1
info: level 6
OUT
