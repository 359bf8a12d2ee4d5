#!/usr/bin/env bash
# A line in the form of RFC 5424, sent over UDP by winston-syslog 2.7.1 while the clock is between 20 and 90
# milliseconds behind a second.
# Guess: three digits of milliseconds.
# Seen:  two digits, since the zero in front is lost. 45 milliseconds become ".45", so the line is dated up to 0.9 s late,
#        after lines that were sent behind it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund winston@3.19.0 winston-syslog@2.7.1 >/dev/null 2>&1
cat >send.js <<'JS'
const { createSocket } = require('node:dgram');
const winston = require('winston');
const { Syslog } = require('winston-syslog');
const socket = createSocket('udp4');
let sent;
socket.on('message', message => {
  const date = String(message).split(' ')[1];
  console.log(`digits behind the second: ${date.match(/\.(\d+)Z/)[1].length}`);
  console.log(`later than the clock: ${Date.parse(date) > sent + 100}`);
  process.exit(0);
});
socket.bind(0, '127.0.0.1', () => {
  const target = { host: '127.0.0.1', port: socket.address().port, protocol: 'udp4', type: '5424' };
  const logger = winston.createLogger({ transports: [new Syslog(target)] });
  const send = () => {
    const now = Date.now();
    if (now % 1000 < 20 || now % 1000 > 90) return setTimeout(send, 2);
    sent = now;
    logger.info('ready');
  };
  send();
});
JS
timeout 30 node send.js | tee seen
diff seen - <<'OUT'
digits behind the second: 2
later than the clock: true
OUT
