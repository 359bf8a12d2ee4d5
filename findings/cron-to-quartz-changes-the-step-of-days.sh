#!/usr/bin/env bash
# Three schedules of CronJobs converted to Quartz by cron-to-quartz 1.4.15: on working days, on every second day of the month, and on every
# second day of the week. Quartz counts the days of the week from 1, cron from 0.
# Guess: the days of the week are one higher, and both steps stay 2.
# Seen:  each digit in the field of the week is raised, also that of the step. Every second day of the week becomes every third day. The
#        converted schedule is valid, so no error is reported.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund cron-to-quartz@1.4.15 >/dev/null 2>&1
cat >convert.js <<'JS'
const { getQuartz } = require('cron-to-quartz');
for (const schedule of ['0 6 * * 1-5', '0 6 */2 * *', '0 6 * * */2']) {
  console.log(`${schedule}: ${getQuartz(schedule).map((fields) => fields.join(' '))}`);
}
JS
node convert.js | tee seen
diff seen - <<'OUT'
0 6 * * 1-5: 0 0 6 ? * 2-6 *
0 6 */2 * *: 0 0 6 */2 * ? *
0 6 * * */2: 0 0 6 ? * */3 *
OUT
