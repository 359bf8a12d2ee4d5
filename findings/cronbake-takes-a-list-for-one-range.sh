#!/usr/bin/env bash
# The days of the week that cronbake 0.4.0 reads from three schedules: a range, a list, and a list with a range in it.
# Guess: Monday to Wednesday, then Monday and Wednesday, then Monday and Wednesday to Friday.
# Seen:  a field with a hyphen is read as one range, from its first number to the number behind the first hyphen. The third schedule runs on
#        Tuesday as well, and with the range in front the day behind it is lost. Both are accepted without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund cronbake@0.4.0 >/dev/null 2>&1
cat >days.mjs <<'JS'
import { CronParser } from 'cronbake';
for (const days of ['1-3', '1,3', '1,3-5', '1-3,5']) {
  console.log(`${days}: ${new CronParser(`0 0 9 * * ${days}`).parse().dayOfWeek}`);
}
JS
node days.mjs | tee seen
diff seen - <<'OUT'
1-3: 1,2,3
1,3: 1,3
1,3-5: 1,2,3,4,5
1-3,5: 1,2,3
OUT
