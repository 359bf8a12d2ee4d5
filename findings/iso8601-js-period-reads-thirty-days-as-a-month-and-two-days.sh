#!/usr/bin/env bash
# Times of retention, shown by iso8601-js-period 0.2.1 with the overflow moved to the higher units, and in seconds.
# Guess: 30 days are a month, as in the seconds, where a month has 30 days.
# Seen:  30 days are "1 month 2 days", as the package makes a month of four weeks here. Read again, the text is two
#        days longer than the original.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund iso8601-js-period@0.2.1 >/dev/null 2>&1
cat >show.js <<'JS'
const { Period } = require('iso8601-js-period');
const [day, month, days] = ['P1D', 'P1M', 'P30D'].map((period) => Period.parseToTotalSeconds(period));
console.log(`a month has ${month / day} days`);
console.log(`30 days: ${Period.parseToString('P30D', null, null, true)}`);
console.log(`1 month 2 days: ${Period.parseToTotalSeconds('P1M2D') / day} days instead of ${days / day}`);
JS
node show.js | tee seen
diff seen - <<'OUT'
a month has 30 days
30 days: 1 month 2 days
1 month 2 days: 32 days instead of 30
OUT
