#!/usr/bin/env bash
# The months of a Quartz schedule, whose numbers run from 1 to 12, explained by cron-humanize 1.0.7, which prints its own objects too. The
# days of the week, from 1 on, serve as the comparison.
# Guess: 1 is January, as JAN is, and 12 is December.
# Seen:  days are counted from 1 and months from 0. The months 6 to 8 are explained as July to September and the month 12 as
#        "undefined", while the sentence for JUN-AUG is right.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund cron-humanize@1.0.7 >/dev/null 2>&1
cat >explain.js <<'JS'
const { default: humanizer } = require('cron-humanize');
for (const schedule of ['0 0 9 ? * 1 *', '0 0 9 1 JUN-AUG ? *', '0 0 9 1 6-8 ? *', '0 0 9 1 12 ? *']) {
  console.log(`${schedule}: ${humanizer.humanize(schedule)}`);
}
JS
node explain.js | grep Fire | tee seen
diff seen - <<'OUT'
0 0 9 ? * 1 *: Fire at 09:00, only on Sundays.
0 0 9 1 JUN-AUG ? *: Fire at 09:00, on the 1st, in the months of June through August, every day.
0 0 9 1 6-8 ? *: Fire at 09:00, on the 1st, in the months of July through September, every day.
0 0 9 1 12 ? *: Fire at 09:00, on the 1st, in the month of undefined, every day.
OUT
