#!/usr/bin/env bash
# Two schedules in the time of Kolkata, five and a half hours ahead of UTC and without summer time, converted to UTC by local-crontab 0.1.8.
# Guess: 10:15 becomes 04:45, and 10:45 becomes 05:15.
# Seen:  10:45 becomes 04:15. Hours and minutes are shifted each by itself, and the hour that the minutes carry is lost. Every run in the
#        second half of an hour is an hour early.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund local-crontab@0.1.8 >/dev/null 2>&1
cat >convert.js <<'JS'
const { localCrontabToUtcCrontabs } = require('local-crontab');
for (const schedule of ['15 10 * * *', '45 10 * * *']) {
  console.log(`${schedule}: ${localCrontabToUtcCrontabs(schedule, 'Asia/Kolkata')}`);
}
JS
node convert.js | tee seen
diff seen - <<'OUT'
15 10 * * *: 45 4 * * *
45 10 * * *: 15 4 * * *
OUT
