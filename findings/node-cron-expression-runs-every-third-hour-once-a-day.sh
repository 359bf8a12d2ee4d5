#!/usr/bin/env bash
# The functions of node-cron-expression 1.3.1 with the number 3. Its comments name the result of `everyHour(3)`, which covers "every X hours",
# as `0 */3 * * *`. The function `every(3).hours()` serves as the comparison.
# Guess: every third minute, every third hour and every third month, the same as the comparison.
# Seen:  the number is written without the step. "Every third hour" is one run a day, at 03:00, and "every third month" is one run a year, in
#        March. Only the function of the comparison has the step.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund node-cron-expression@1.3.1 >/dev/null 2>&1
cat >build.js <<'JS'
const { every, everyHour, everyMinute, everyMonth } = require('node-cron-expression');
const pairs = {
  minute: [everyMinute(3), every(3).minutes()],
  hour: [everyHour(3), every(3).hours()],
  month: [everyMonth(3), every(3).months()],
};
for (const [unit, [built, comparison]] of Object.entries(pairs)) console.log(`every third ${unit}: ${built}, comparison: ${comparison}`);
JS
node build.js | tee seen
diff seen - <<'OUT'
every third minute: 3 * * * *, comparison: */3 * * * *
every third hour: 0 3 * * *, comparison: 0 */3 * * *
every third month: 0 0 1 3 *, comparison: 0 0 1 */3 *
OUT
