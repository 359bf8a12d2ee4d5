#!/usr/bin/env bash
# The seconds until a certificate expires, as @perses-dev/core 0.52.0 shows them in a panel of Perses with the unit "Seconds": an hour and a
# half ahead, the same time ago, and 30 days ago.
# Guess: `1.5h`, `-1.5h` and `-1 month`.
# Seen:  the largest unit with a value of at least 1 is chosen, and a negative value has none, so the smallest unit is taken. A certificate
#        that expired 30 days ago is shown with minus 2.59 billion milliseconds.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @perses-dev/core@0.52.0 >/dev/null 2>&1
cat >show.js <<'JS'
const { formatValue } = require('@perses-dev/core');
for (const seconds of [5400, -5400, -2592000]) console.log(`${seconds}: ${formatValue(seconds, { unit: 'seconds' })}`);
JS
node show.js | tee seen
diff seen - <<'OUT'
5400: 1.5h
-5400: -5,400,000ms
-2592000: -2,590,000,000ms
OUT
