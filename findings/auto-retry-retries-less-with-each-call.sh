#!/usr/bin/env bash
# Three calls of one function that always fails, wrapped by auto-retry 1.4.0 with two retries.
# Guess: three attempts for each call.
# Seen:  three attempts for the first call, two for the second and one for the third. The wrapper counts the retries
#        of all calls together.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund auto-retry@1.4.0 >/dev/null 2>&1
cat >calls.js <<'JS'
const retry = require('auto-retry').default;
let attempts = 0;
const call = retry(() => Promise.reject(new Error(`${(attempts += 1)}`)), { maxRetries: 2, backoffBase: 1 });
(async () => {
  for (let number = 1; number <= 3; number += 1) {
    attempts = 0;
    await call().catch(() => console.log(`call ${number}: ${attempts} attempts`));
  }
})();
JS
node calls.js | tee seen
diff seen - <<'OUT'
call 1: 3 attempts
call 2: 2 attempts
call 3: 1 attempts
OUT
