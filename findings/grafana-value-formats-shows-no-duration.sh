#!/usr/bin/env bash
# A quarter of a day in @baurine/grafana-value-formats 1.0.5, as seconds, as a clock and as a duration. The number of decimals is optional.
# Guess: `6 hour`, `06h:00m:00s:000ms` and `6 hours`.
# Seen:  without the number of decimals a duration is an empty text, as for a missing value. Only zero is shown. The other two units do not
#        need the number.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @baurine/grafana-value-formats@1.0.5 >/dev/null 2>&1
cat >format.js <<'JS'
const { getValueFormat } = require('@baurine/grafana-value-formats');
for (const unit of ['s', 'clocks', 'dtdurations']) {
  const format = getValueFormat(unit);
  console.log(`${unit}: "${format(21600)}", with 0 decimals "${format(21600, 0)}", of zero "${format(0)}"`);
}
JS
node format.js | tee seen
diff seen - <<'OUT'
s: "6 hour", with 0 decimals "6 hour", of zero "0 ns"
clocks: "06h:00m:00s:000ms", with 0 decimals "06h", of zero "000ms"
dtdurations: "", with 0 decimals "6 hours", of zero "0 seconds"
OUT
