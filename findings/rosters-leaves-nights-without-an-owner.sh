#!/usr/bin/env bash
# A schedule of rosters 0.0.1 with a layer for the night from 22:00 to 06:00, and the same night as two layers that meet at midnight.
# Guess: the person of the night layer is on call at 23:30, at 00:30 and at 03:00.
# Seen:  the layer across midnight never counts, so the call fails with a TypeError all night, or returns the person of a layer
#        for the whole day. With two layers the first hour of the day has no owner: the library compares the texts of times, and
#        writes 00:30 as "24:30:00". An alert at that hour pages nobody.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund rosters@0.0.1 >/dev/null 2>&1
cat >page.mjs <<'EOF'
import { mock } from 'node:test';
import rosters from 'rosters';

const layerOf = (start, end, name) => ({ start, end, user: { name } });
const day = layerOf('06:00', '22:00', 'day person');
const schedules = {
  'one layer': [day, layerOf('22:00', '06:00', 'night person')],
  'two layers': [day, layerOf('22:00', '24:00', 'night person'), layerOf('00:00', '06:00', 'night person')],
};
mock.timers.enable({ apis: ['Date'] });
for (const time of ['12:00', '23:30', '00:30', '03:00']) {
  mock.timers.setTime(Date.parse(`2026-03-02T${time}:00Z`));
  for (const [name, layers] of Object.entries(schedules)) {
    let person;
    try {
      person = rosters.getOnCallPerson({ layers })?.name;
    } catch (error) {
      person = error.name;
    }
    console.log(`${time}, ${name}: ${person}`);
  }
}
EOF
TZ=UTC node --no-warnings page.mjs | tee seen
diff seen - <<'EOF'
12:00, one layer: day person
12:00, two layers: day person
23:30, one layer: TypeError
23:30, two layers: night person
00:30, one layer: TypeError
00:30, two layers: TypeError
03:00, one layer: TypeError
03:00, two layers: night person
EOF
