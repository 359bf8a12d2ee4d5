#!/usr/bin/env bash
# The waits of exponential-backoff-generator 2.0.1 without an upper bound, from one second on.
# Guess: each wait is twice the one before.
# Seen:  the 23rd wait is negative and the last ones are zero, so the caller repeats at once. The number is cut to 32
#        bits.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund exponential-backoff-generator@2.0.1 >/dev/null 2>&1
cat >waits.js <<'JS'
const { generateBackoff } = require('exponential-backoff-generator');
const waits = [...generateBackoff({ min: 1000, max: Infinity, retries: 40 })].map(({ duration }) => duration);
console.log(waits.slice(0, 3).join(', '));
console.log(waits.slice(20, 24).join(', '));
console.log(waits.slice(38).join(', '));
JS
node waits.js | tee seen
diff seen - <<'OUT'
1000, 2000, 4000
1048576000, 2097152000, -100663296, -201326592
0, 0, 0
OUT
