#!/usr/bin/env bash
# Durations of ISO 8601, added to a time by date-fns-duration 1.0.4: one and a half hours, the same as minutes, and
# half an hour with a comma, which the standard prefers.
# Guess: 01:30 twice and 00:30, or an error for what is not supported.
# Seen:  the fraction is cut off, so half an hour is missing. With a comma the result is an invalid date. Neither
#        raises an error, though the package does so for other text.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund date-fns-duration@1.0.4 >/dev/null 2>&1
cat >add.js <<'JS'
const add = require('date-fns-duration');
for (const duration of ['PT90M', 'PT1.5H', 'PT0,5H']) {
  const date = add('2026-11-30T00:00:00Z', duration);
  console.log(`${duration}: ${Number.isNaN(date.getTime()) ? 'invalid' : date.toISOString()}`);
}
JS
TZ=UTC node add.js | tee seen
diff seen - <<'OUT'
PT90M: 2026-11-30T01:30:00.000Z
PT1.5H: 2026-11-30T01:00:00.000Z
PT0,5H: invalid
OUT
