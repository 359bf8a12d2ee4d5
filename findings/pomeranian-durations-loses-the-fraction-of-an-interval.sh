#!/usr/bin/env bash
# Intervals as PostgreSQL writes them, read by pomeranian-durations 1.11.4 as durations of ISO 8601.
# Guess: PT1M2.5S and PT0.5S.
# Seen:  the fraction of a second is lost. Of half a second "P" is left, which is no duration, and which the package
#        adds to a date as nothing.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund pomeranian-durations@1.11.4 >/dev/null 2>&1
cat >read.js <<'JS'
const { fromPostgres, addToDate } = require('pomeranian-durations');
for (const text of ['00:01:02', '00:01:02.5', '00:00:00.5']) {
  const duration = fromPostgres(text);
  console.log(`${text}: ${duration}, ${addToDate(duration, new Date('2026-11-30T00:00:00Z')).toISOString()}`);
}
JS
TZ=UTC node read.js | tee seen
diff seen - <<'OUT'
00:01:02: PT1M2S, 2026-11-30T00:01:02.000Z
00:01:02.5: PT1M2S, 2026-11-30T00:01:02.000Z
00:00:00.5: P, 2026-11-30T00:00:00.000Z
OUT
