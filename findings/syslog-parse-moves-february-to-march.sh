#!/usr/bin/env bash
# One line of February, parsed by syslog-parse 2.0.0 on two days of March: on the 15th and on the 31st. The script sets the clock of the program.
# Guess: February 5 on both days.
# Seen:  March 5 on the 31st. The month is set while the day is still that of the clock, and February 31 is a day of March. The last
#        days of a long month move the lines of each shorter month, so a search by time misses them.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund syslog-parse@2.0.0 >/dev/null 2>&1
cat >parse.js <<'JS'
import parse from 'syslog-parse';
const RealDate = Date;
for (const now of ['2026-03-15T12:00:00Z', '2026-03-31T12:00:00Z']) {
  globalThis.Date = class extends RealDate {
    constructor() {
      super(now);
    }
  };
  console.log(`${now}: ${parse('<30>Feb 05 01:02:03 node-1 kubelet[253]: Pulled image').time.toISOString()}`);
}
JS
TZ=UTC node parse.js | tee seen
diff seen - <<'OUT'
2026-03-15T12:00:00Z: 2026-02-05T01:02:03.000Z
2026-03-31T12:00:00Z: 2026-03-05T01:02:03.000Z
OUT
