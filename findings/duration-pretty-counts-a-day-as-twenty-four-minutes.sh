#!/usr/bin/env bash
# The age of a pod by duration-pretty 0.1.1 in a template that leaves out units. The description shows a
# template without years, months and days.
# Guess: what the missing units hold is added to the next unit: a day and an hour are 25 hours or 1500
#        minutes.
# Seen:  each missing unit is multiplied by the size of one step only. A day and an hour are 84 minutes, and
#        a year is 12 days.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund duration-pretty@0.1.1 >/dev/null 2>&1
cat >run.js <<'JS'
const { duration } = require('duration-pretty');
const hour = 3_600;
for (const [name, seconds] of [['a day and an hour', 25 * hour], ['a year', 365 * 24 * hour]]) {
  for (const template of ['D [days]', 'H [hours]', 'm [minutes]']) {
    console.log(`${name}: ${duration(seconds, 'seconds').format(template)}`);
  }
}
JS
node run.js | tee seen
diff seen - <<'OUT'
a day and an hour: 1 days
a day and an hour: 25 hours
a day and an hour: 84 minutes
a year: 12 days
a year: 12 hours
a year: 12 minutes
OUT
