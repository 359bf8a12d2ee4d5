#!/usr/bin/env bash
# A promise that always fails, retried by backoff-promise 1.0.0 with its own factor of 1.1.
# Guess: each wait is 1.1 times the wait before, for each wait at the start.
# Seen:  the product is rounded down to whole milliseconds after each step. A start below 10 ms never grows,
#        so an exponential backoff is a fixed one. A start of 20 ms grows.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund backoff-promise@1.0.0 >/dev/null 2>&1
cat >waits.js <<'JS'
const Backoff = require('backoff-promise');
const measure = async (start) => {
  const waits = [];
  const backoff = new Backoff(start, 1_000, 1.1, 8);
  await backoff
    .run(async () => {
      waits.push(backoff._retryAfterMSecs);
      throw new Error('unavailable');
    })
    .catch(() => undefined);
  console.log(`start ${start}: ${waits.slice(1).join(', ')}`);
};
measure(9).then(() => measure(20));
JS
node waits.js | tee seen
diff seen - <<'OUT'
start 9: 9, 9, 9, 9, 9, 9, 9
start 20: 20, 22, 24, 26, 28, 30, 33
OUT
