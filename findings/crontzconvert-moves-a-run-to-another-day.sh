#!/usr/bin/env bash
# Schedules converted from another time zone to UTC by crontzconvert 1.1.1, and the first runs of each, before and after, by croner 11.0.1.
# Guess: the same moments before and after, or an error where one line of a schedule cannot name them.
# Seen:  one hour and one minute are converted well. With two minutes an hour, in a zone that is 5½ hours ahead, both get the hour of the
#        first, so the run of 9:45 is an hour early. Of two hours that fall on two days in UTC, both get the days of one: the run
#        of Friday at 22:00 is lost, and one of Sunday is added. Neither is an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund crontzconvert@1.1.1 croner@11.0.1 >/dev/null 2>&1
cat >convert.mjs <<'JS'
import { Cron } from 'croner';
import converter from 'crontzconvert';
const cases = [
  ['0 15 9 * * *', 'Asia/Kolkata'],
  ['0 15,45 9 * * *', 'Asia/Kolkata'],
  ['0 0 8 * * 1-5', 'Asia/Seoul'],
  ['0 0 8,22 * * 1-5', 'Asia/Seoul'],
];
const runs = (schedule, timezone) =>
  new Cron(schedule, { timezone }).nextRuns(20, new Date('2026-11-28T00:00:00Z')).map((run) => run.toISOString().slice(0, 16));
for (const [schedule, timezone] of cases) {
  const converted = converter.convert(schedule, timezone, 'UTC');
  const before = runs(schedule, timezone);
  const after = runs(converted, 'UTC');
  const lost = before.find((run) => !after.includes(run)) ?? 'none';
  const added = after.find((run) => !before.includes(run)) ?? 'none';
  console.log(`${schedule} becomes ${converted}: lost ${lost}, added ${added}`);
}
JS
node convert.mjs | tee seen
diff seen - <<'OUT'
0 15 9 * * * becomes 0 45 3 * * *: lost none, added none
0 15,45 9 * * * becomes 0 15,45 3 * * *: lost 2026-11-28T04:15, added 2026-11-28T03:15
0 0 8 * * 1-5 becomes 0 0 23 * * 0-4: lost none, added none
0 0 8,22 * * 1-5 becomes 0 0 13,23 * * 0-4: lost 2026-12-04T13:00, added 2026-11-29T13:00
OUT
