#!/usr/bin/env bash
# Durations in words, read by durhuman 0.0.0-alpha.3 as seconds.
# Guess: 5400 seconds for an hour and 30 minutes, in each form, or no value, as for other text that it does not know.
# Seen:  3600. What follows the first unit is ignored, and a fraction is cut off, so half an hour is missing.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund durhuman@0.0.0-alpha.3 >/dev/null 2>&1
cat >read.js <<'JS'
const read = require('durhuman');
for (const text of ['90 minutes', '1 hour 30 minutes', '1.5 hours', '1h30m']) console.log(`${text}: ${read(text)}`);
JS
node read.js | tee seen
diff seen - <<'OUT'
90 minutes: 5400
1 hour 30 minutes: 3600
1.5 hours: 3600
1h30m: undefined
OUT
