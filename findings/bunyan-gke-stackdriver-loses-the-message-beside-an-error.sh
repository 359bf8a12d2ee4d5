#!/usr/bin/env bash
# A line of bunyan 1.8.15 with an error and a message, through bunyan-gke-stackdriver 0.1.2, which writes the
# JSON that the log agent of GKE reads.
# Guess: the message "rollout of web failed" and the stack of the error.
# Seen:  the stack only. The package writes the stack in the place of the message, and no other field keeps the
#        message.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund bunyan-gke-stackdriver@0.1.2 bunyan@1.8.15 >/dev/null 2>&1
cat >line.js <<'JS'
const { PassThrough } = require('node:stream');
const bunyan = require('bunyan');
const { createStream } = require('bunyan-gke-stackdriver');
const out = new PassThrough();
out.on('data', (line) => {
  const text = String(line);
  for (const part of ['rollout of web failed', 'refused']) console.log(`${part}: ${text.includes(part)}`);
});
const log = bunyan.createLogger({ name: 'web', streams: [createStream('info', out)] });
log.error(new Error('refused'), 'rollout of web failed');
JS
node line.js | tee seen
diff seen - <<'OUT'
rollout of web failed: false
refused: true
OUT
