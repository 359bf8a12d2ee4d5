#!/usr/bin/env bash
# A text, a text with a value, and a text with an error, written by log4js 6.9.1 and sent by @log4js-node/logstashudp
# 1.2.1 over UDP to the loopback address. The layout is the default one.
# Guess: the value in the text and the error behind it, as log4js writes them to the console.
# Seen:  only the first argument is sent. The value and the error are in no field.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund log4js@6.9.1 @log4js-node/logstashudp@1.2.1 >/dev/null 2>&1
cat >send.js <<'JS'
const dgram = require('dgram');
const { once } = require('events');
const log4js = require('log4js');
const server = dgram.createSocket('udp4');
server.bind(0, '127.0.0.1', async () => {
  const logstash = { type: '@log4js-node/logstashudp', host: '127.0.0.1', port: server.address().port };
  log4js.configure({ appenders: { logstash }, categories: { default: { appenders: ['logstash'], level: 'info' } } });
  const logger = log4js.getLogger();
  for (const line of [['started'], ['pod %s failed', 'web-1'], ['not ready', new Error('no route')]]) {
    const received = once(server, 'message');
    logger.error(...line);
    const { host, '@timestamp': time, ...fields } = JSON.parse((await received)[0]);
    console.log(JSON.stringify(fields));
  }
  log4js.shutdown(() => server.close());
});
JS
node send.js | tee seen
diff seen - <<'OUT'
{"@version":1,"level":"ERROR","category":"default","message":"started"}
{"@version":1,"level":"ERROR","category":"default","message":"pod %s failed"}
{"@version":1,"level":"ERROR","category":"default","message":"not ready"}
OUT
