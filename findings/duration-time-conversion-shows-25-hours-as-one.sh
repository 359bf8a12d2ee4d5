#!/usr/bin/env bash
# Durations, converted by duration-time-conversion 1.0.6 from a time to seconds and back.
# Guess: the same times, with the thousandths that the package adds.
# Seen:  the package reads 25 hours as 90000 seconds, but writes them as one hour. What is longer than a day loses its
#        days, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund duration-time-conversion@1.0.6 >/dev/null 2>&1
cat >convert.js <<'JS'
const { t2d, d2t } = require('duration-time-conversion');
for (const time of ['23:59:59', '24:00:00', '25:00:00']) console.log(`${time}: ${t2d(time)} s, ${d2t(t2d(time))}`);
JS
TZ=UTC node convert.js | tee seen
diff seen - <<'OUT'
23:59:59: 86399 s, 23:59:59.000
24:00:00: 86400 s, 00:00:00.000
25:00:00: 90000 s, 01:00:00.000
OUT
