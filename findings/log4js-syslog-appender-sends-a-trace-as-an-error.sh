#!/usr/bin/env bash
# Lines of log4js 0.6.38 (the version that log4js-syslog-appender 0.3.2 depends on) through the appender to a
# local UDP socket. In syslog, 3 is an error, 6 is information and 7 is debug.
# Guess: severity 7 for trace and debug, 6 for info, and the text of each line.
# Seen:  the trace has severity 3 and carries a stack. The appender calls a method of its client that has the
#        name of the level and reports the place of the call as an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund --omit=optional log4js-syslog-appender@0.3.2 log4js@0.6.38 >/dev/null 2>&1
cat >levels.js <<'JS'
const { createSocket } = require('node:dgram');
const { once } = require('node:events');
const log4js = require('log4js');
const { configure } = require('log4js-syslog-appender');
const server = createSocket('udp4').bind(0, '127.0.0.1');
server.on('listening', async () => {
  log4js.clearAppenders();
  log4js.addAppender(configure({ tag: 'web', address: '127.0.0.1', port: server.address().port }));
  const log = log4js.getLogger('web');
  log.setLevel('TRACE');
  for (const level of ['trace', 'debug', 'info']) {
    log[level]('read one pod');
    const [packet] = await once(server, 'message');
    const text = String(packet);
    console.log(`${level}: severity ${Number.parseInt(text.slice(1), 10) % 8}, a stack: ${text.includes('\n    at ')}`);
  }
  process.exit(0);
});
JS
node levels.js 2>/dev/null | tee seen
diff seen - <<'OUT'
trace: severity 3, a stack: true
debug: severity 7, a stack: false
info: severity 6, a stack: false
OUT
