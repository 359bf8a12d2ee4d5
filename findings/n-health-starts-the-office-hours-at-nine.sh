#!/usr/bin/env bash
# A failing check of n-health 14.1.4 with `officeHoursOnly`, on a Monday at 08:30, 09:30 and 18:30 UTC. The
# description defines office hours as 8am to 6pm UTC. The script sets the clock. A second run is at 09:30 UTC in
# the time zone of New York.
# Guess: not ok at 08:30 and 09:30 in both time zones, and ok at 18:30.
# Seen:  ok at 08:30, and ok at 09:30 UTC in New York. The package reads the local hour and starts at nine, so a
#        failing check passes in the first office hour.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund n-health@14.1.4 >/dev/null 2>&1
cat >office.js <<'JS'
const { Check, status } = require('n-health');
const texts = { name: 'queue', businessImpact: 'none', panicGuide: 'none', technicalSummary: 'none' };
const check = new Check({ ...texts, severity: 1, officeHoursOnly: true });
check.status = status.FAILED;
const RealDate = Date;
for (const time of process.argv.slice(2)) {
  globalThis.Date = class extends RealDate {
    constructor() {
      super(`2026-03-02T${time}:00Z`);
    }
  };
  console.log(`${time} UTC in ${process.env.TZ}: ok ${check.getStatus().ok}`);
}
JS
(TZ=UTC node office.js 08:30 09:30 18:30 && TZ=America/New_York node office.js 09:30) | tee seen
diff seen - <<'OUT'
08:30 UTC in UTC: ok true
09:30 UTC in UTC: ok false
18:30 UTC in UTC: ok true
09:30 UTC in America/New_York: ok true
OUT
