#!/usr/bin/env bash
# One line with the severity of an error, sent by syslog 0.1.1 with the default facility to a local server. The
# priority of a line is the facility times eight plus the severity.
# Guess: <11> (facility 1, severity 3).
# Seen:  <NaN>. The package reads a setting with a misspelt name, so no line of this client has a priority.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund syslog@0.1.1 >/dev/null 2>&1
cat >send.js <<'JS'
const { createServer } = require('node:net');
const syslog = require('syslog');
const server = createServer((socket) => {
  socket.on('data', (line) => {
    console.log(String(line).slice(0, String(line).indexOf('>') + 1));
    process.exit(0);
  });
});
server.listen(0, '127.0.0.1', () => {
  syslog.createClient(server.address().port, '127.0.0.1', { name: 'web' }).log('refused', syslog.LOG_ERROR);
});
JS
node send.js | tee seen
diff seen - <<'OUT'
<NaN>
OUT
