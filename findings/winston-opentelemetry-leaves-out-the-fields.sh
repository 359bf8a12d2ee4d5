#!/usr/bin/env bash
# A line of winston with fields, sent by the transport of winston-opentelemetry 1.0.0 as a log record of
# OpenTelemetry to the console.
# Guess: the message is the body, and the fields are the attributes of the record.
# Seen:  the body and the severity only. Neither the fields of the line nor those of the logger are in the
#        record. A line of the level `http`, a standard level of winston, has no severity.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund winston-opentelemetry@1.0.0 winston@3.19.0 >/dev/null 2>&1
cat >log.js <<'JS'
const winston = require('winston');
const Transport = require('winston-opentelemetry');
const print = console.dir;
console.dir = (record) => print({ body: record.body, severity: record.severityText, fields: record.attributes });
const transport = new Transport({ recordProcessorType: 'simple', exporterOptions: { protocol: 'console' } });
const defaultMeta = { service: 'web' };
const logger = winston.createLogger({ level: 'http', defaultMeta, transports: [transport] });
logger.error('rollout is late', { pod: 'web-1' });
logger.http('GET /ready', { status: 503 });
JS
node log.js | tee seen
diff seen - <<'OUT'
{ body: 'rollout is late', severity: 'ERROR', fields: {} }
{ body: 'GET /ready', severity: 'UNSPECIFIED', fields: {} }
OUT
