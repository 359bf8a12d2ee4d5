#!/usr/bin/env bash
# Durations for timestring 7.0.0: 15m, -15m, and 1h -15m. Its patterns accept a sign before each number.
# Guess: 900, -900 and 2700 seconds, or an error for a sign.
# Seen:  900, 900 and 4500 seconds. The package drops the sign, so "15 minutes ago" becomes "in 15 minutes".
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund timestring@7.0.0 >/dev/null 2>&1
cat >signs.js <<'JS'
const timestring = require('timestring');
for (const text of ['15m', '-15m', '1h -15m']) console.log(`${text}: ${timestring(text)} s`);
JS
node signs.js | tee seen
diff seen - <<'OUT'
15m: 900 s
-15m: 900 s
1h -15m: 4500 s
OUT
