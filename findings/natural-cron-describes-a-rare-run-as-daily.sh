#!/usr/bin/env bash
# Schedules of CronJobs in natural-cron 1.1.0, which describes them "in human-readable language" and names a schedule that it has no words
# for as "Custom schedule".
# Guess: the day of the month for the first, and words for the others or "Custom schedule".
# Seen:  a day that it has no words for is left out, and the run is described as daily. The job of the first week, that of every second
#        day and that of the first day and each Monday are all described as "every day".
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund natural-cron@1.1.0 >/dev/null 2>&1
cat >describe.js <<'JS'
const { describeCron } = require('natural-cron');
for (const schedule of ['0 9 1 * *', '*/15 9-17 * * 1-5', '0 9 1-7 * *', '0 9 */2 * *', '0 9 1 * 1']) {
  console.log(`${schedule}: ${describeCron(schedule)}`);
}
JS
node describe.js | tee seen
diff seen - <<'OUT'
0 9 1 * *: At 09:00, on day 1 of the month
*/15 9-17 * * 1-5: Custom schedule: */15 9-17 * * 1-5
0 9 1-7 * *: At 09:00 every day
0 9 */2 * *: At 09:00 every day
0 9 1 * 1: At 09:00 every day
OUT
