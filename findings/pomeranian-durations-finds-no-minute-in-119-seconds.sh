#!/usr/bin/env bash
# Durations of ISO 8601, cut to whole minutes by pomeranian-durations 1.11.4. Its `eq` says that the first two are
# equal.
# Guess: PT1M for both.
# Seen:  PT1M for one minute and 59 seconds, and "P", which is no duration, for 119 seconds.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund pomeranian-durations@1.11.4 >/dev/null 2>&1
cat >floor.js <<'JS'
const { floorMinutes, eq } = require('pomeranian-durations');
console.log(`equal: ${eq('PT1M59S', 'PT119S')}`);
for (const duration of ['PT1M59S', 'PT119S']) console.log(`${duration}: ${floorMinutes(duration)}`);
JS
node floor.js | tee seen
diff seen - <<'OUT'
equal: true
PT1M59S: PT1M
PT119S: P
OUT
