#!/usr/bin/env bash
# A line of pino from 2026-01-01 and one whose time is written as text, read from a file by pino-fluentd 0.2.4. It prepares lines for Fluentd,
# and its help names `cat log | pino-fluentd`.
# Guess: both lines keep their time.
# Seen:  the line of pino gets the time of the import. Pino writes the time as a number, which has no length and is taken for an absent
#        value. Only a text is kept, which pino does not write by default.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund pino-fluentd@0.2.4 >/dev/null 2>&1
cat >import.js <<'JS'
const pinoFluentd = require('pino-fluentd');
const start = new Date().toISOString();
const stream = pinoFluentd({ 'trace-level': 'fatal' });
stream.on('data', ({ msg, time }) => console.log(`${msg}: ${time >= start ? 'the time of the import' : time}`));
stream.write(`${JSON.stringify({ level: 30, time: Date.UTC(2026, 0, 1), msg: 'number' })}\n`);
stream.end(`${JSON.stringify({ level: 30, time: '2026-01-01T00:00:00Z', msg: 'text' })}\n`);
JS
timeout 60 node --no-warnings import.js | tee seen
diff seen - <<'OUT'
number: the time of the import
text: 2026-01-01T00:00:00.000Z
OUT
