#!/usr/bin/env bash
# Three lines of winston with the field `pod`, written by winston-opentelemetry-format 0.0.4. The field is
# from the call, from a child logger, and from the default fields of the logger.
# Guess: each line has the attribute `pod`.
# Seen:  the attribute is there for the field of the call only. The other two lines have no attributes.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund winston-opentelemetry-format@0.0.4 winston@3.19.0 >/dev/null 2>&1
cat >log.js <<'JS'
const winston = require('winston');
const { Writable } = require('node:stream');
const { utils } = require('winston-opentelemetry-format');
const write = (chunk, _encoding, done) => {
  const { body, attributes } = JSON.parse(chunk);
  console.log(`${body}: ${JSON.stringify(attributes)}`);
  done();
};
const stream = new Writable({ write });
const format = winston.format.combine(utils.opentelemetryLogFormat(), winston.format.json());
const create = (defaultMeta) =>
  winston.createLogger({ format, defaultMeta, transports: [new winston.transports.Stream({ stream })] });
create().info('call', { pod: 'web-1' });
create().child({ pod: 'web-1' }).info('child');
create({ pod: 'web-1' }).info('logger');
JS
node log.js | tee seen
diff seen - <<'OUT'
call: {"pod":"web-1"}
child: {}
logger: {}
OUT
