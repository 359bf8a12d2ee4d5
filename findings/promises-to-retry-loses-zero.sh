#!/usr/bin/env bash
# Four calls run in batches by batchPromises of promises-to-retry 1.5.0, with its default of returning all
# results.
# Guess: the four results.
# Seen:  zero, false and an empty text become undefined. Only the other result is kept.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund promises-to-retry@1.5.0 >/dev/null 2>&1
cat >run.js <<'JS'
const { batchPromises } = require('promises-to-retry');
const calls = [0, false, '', 3].map((result) => async () => result);
batchPromises({ maxBatchSize: 2, delayInMs: 1 })(calls).then((results) => console.log(results));
JS
node run.js | tee seen
diff seen - <<'OUT'
[ undefined, undefined, undefined, 3 ]
OUT
