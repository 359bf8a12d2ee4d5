#!/usr/bin/env bash
# The next run of schedules on days that not every month has, in @cheap-glitch/mi-cron 1.0.1, and in croner 11.0.1.
# Guess: both skip the months without that day: from November 5 on, the next 31st is in December.
# Seen:  mi-cron counts the missing days on into the next month. The run after November 5 is December 1, which is no 31st, and that of February
#        29 is March 1. A report for the end of the month has an additional run at its beginning.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @cheap-glitch/mi-cron@1.0.1 croner@11.0.1 >/dev/null 2>&1
cat >next.mjs <<'JS'
import { Cron } from 'croner';
import micron from '@cheap-glitch/mi-cron';
const cases = [
  ['0 9 30 * *', '2026-11-05'],
  ['0 9 31 * *', '2026-11-05'],
  ['0 9 30 * *', '2027-02-01'],
  ['0 9 29 2 *', '2026-11-05'],
];
const show = (date) => date.toISOString().slice(0, 10);
for (const [schedule, from] of cases) {
  const start = new Date(from);
  const expected = new Cron(schedule, { timezone: 'UTC' }).nextRun(start);
  console.log(`${schedule} from ${from}: mi-cron ${show(micron.parseCron.nextDate(schedule, start))}, croner ${show(expected)}`);
}
JS
TZ=UTC node next.mjs | tee seen
diff seen - <<'OUT'
0 9 30 * * from 2026-11-05: mi-cron 2026-11-30, croner 2026-11-30
0 9 31 * * from 2026-11-05: mi-cron 2026-12-01, croner 2026-12-31
0 9 30 * * from 2027-02-01: mi-cron 2027-03-02, croner 2027-03-30
0 9 29 2 * from 2026-11-05: mi-cron 2027-03-01, croner 2028-02-29
OUT
