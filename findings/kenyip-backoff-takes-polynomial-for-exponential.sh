#!/usr/bin/env bash
# The waits of @kenyip/backoff-strategies 1.0.4 with the strategies `exponential` and `polynomial` and a delay
# of one second.
# Guess: the polynomial waits grow with the square of the attempt (1, 4, 9 and 100 s for the attempts 1, 2, 3
#        and 10), and the exponential waits double.
# Seen:  both strategies return the same waits. The polynomial strategy computes a power of two and not the
#        square of the attempt, so the tenth wait is 17 minutes.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @kenyip/backoff-strategies@1.0.4 >/dev/null 2>&1
cat >waits.js <<'JS'
const createBackoff = require('@kenyip/backoff-strategies');
for (const strategy of ['exponential', 'polynomial']) {
  const backoff = createBackoff({ strategy, delay: 1000 });
  console.log(`${strategy}: ${[1, 2, 3, 10].map((attempt) => backoff(attempt) / 1000).join(', ')} s`);
}
JS
node waits.js | tee seen
diff seen - <<'OUT'
exponential: 1, 3, 7, 1023 s
polynomial: 1, 3, 7, 1023 s
OUT
