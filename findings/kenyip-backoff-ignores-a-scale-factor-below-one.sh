#!/usr/bin/env bash
# The waits of @kenyip/backoff-strategies 1.0.4 with the strategy `linear`, a delay of one second and the scale
# factors 2, 1.5 and 0.5. The description offers the factor to make long waits shorter.
# Guess: the factor multiplies each wait: 2, 4 and 6 s, then 1.5, 3 and 4.5 s, then 0.5, 1 and 1.5 s.
# Seen:  1.5 and 0.5 change nothing. The package applies whole numbers only, so no factor makes a wait shorter.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @kenyip/backoff-strategies@1.0.4 >/dev/null 2>&1
cat >waits.js <<'JS'
const createBackoff = require('@kenyip/backoff-strategies');
for (const scaleFactor of [2, 1.5, 0.5]) {
  const backoff = createBackoff({ strategy: 'linear', delay: 1000, scaleFactor });
  console.log(`factor ${scaleFactor}: ${[1, 2, 3].map((attempt) => backoff(attempt) / 1000).join(', ')} s`);
}
JS
node waits.js | tee seen
diff seen - <<'OUT'
factor 2: 2, 4, 6 s
factor 1.5: 1, 2, 3 s
factor 0.5: 1, 2, 3 s
OUT
