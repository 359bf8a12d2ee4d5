#!/usr/bin/env bash
# The ages of some pods as text by simple-duration 1.1.1, rounded to seconds, milliseconds, minutes and
# hours. The description promises a text that is normalized.
# Guess: 59 minutes and 59.7 seconds are 1h where they are rounded to seconds.
# Seen:  only the last unit is rounded, and nothing is carried: a minute has 60 seconds, and an hour has 60
#        minutes.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund simple-duration@1.1.1 >/dev/null 2>&1
cat >run.js <<'JS'
const { stringify } = require('simple-duration');
for (const [seconds, unit] of [[3_600, 's'], [3_599.7, 's'], [59.9996, 'ms'], [7_199, 'm'], [86_399, 'h']]) {
  console.log(`${seconds} seconds to ${unit}: ${stringify(seconds, unit)}`);
}
JS
node run.js | tee seen
diff seen - <<'OUT'
3600 seconds to s: 1h
3599.7 seconds to s: 59m 60s
59.9996 seconds to ms: 59s 1000ms
7199 seconds to m: 1h 60m
86399 seconds to h: 24h
OUT
