#!/usr/bin/env bash
# Lines of winston with its standard levels, written by winston-opentelemetry-format 0.0.4. The data model of
# OpenTelemetry has the number 13 for a warning.
# Guess: each level has a number, and `warn` has 13.
# Seen:  `warn`, `http`, `verbose` and `silly` have no number, since the package knows `warning`, which
#        winston has in its syslog levels only. A filter for 13 and above loses each warning.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund winston-opentelemetry-format@0.0.4 winston@3.19.0 >/dev/null 2>&1
cat >log.js <<'JS'
const winston = require('winston');
const { utils } = require('winston-opentelemetry-format');
const format = utils.opentelemetryLogFormat();
for (const level of Object.keys(winston.config.npm.levels)) {
  console.log(`${level}: ${format.transform({ level, message: 'late' }, format.options).severity_number}`);
}
JS
node log.js | tee seen
diff seen - <<'OUT'
error: 17
warn: undefined
info: 9
http: undefined
verbose: undefined
debug: 5
silly: undefined
OUT
