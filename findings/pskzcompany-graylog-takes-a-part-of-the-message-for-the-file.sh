#!/usr/bin/env bash
# Two errors, sent by @pskzcompany/graylog 1.1.0 to a local UDP socket. The package adds the file and the line
# of an error.
# Guess: `errors.js` and the line of each error.
# Seen:  the file and the line come from the message: `(web` and `8080)`, and nothing for a message without
#        parentheses. The package reads the first line of the stack, which repeats the message.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @pskzcompany/graylog@1.1.0 >/dev/null 2>&1
cat >errors.js <<'JS'
const { createSocket } = require('node:dgram');
const { once } = require('node:events');
const { default: Graylog } = require('@pskzcompany/graylog');
const server = createSocket('udp4').bind(0, '127.0.0.1');
server.on('listening', async () => {
  const log = new Graylog({ servers: [{ host: '127.0.0.1', port: server.address().port }] });
  for (const text of ['refused (web:8080)', 'refused']) {
    log.error(new Error(text));
    const [packet] = await once(server, 'message');
    const { short_message: message, _file: file, _line: line } = JSON.parse(packet);
    console.log(`${message}: file "${file}", line "${line}"`);
  }
  log.destroy();
  server.close();
});
JS
node errors.js | tee seen
diff seen - <<'OUT'
refused (web:8080): file "(web", line "8080)"
refused: file "", line "undefined"
OUT
