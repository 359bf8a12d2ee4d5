#!/usr/bin/env bash
# Times below a millisecond, as performance.now() measures them, and times above it, as ISO 8601 durations
# by milliseconds-to-iso-8601-duration 0.1.0, which writes P0D for zero.
# Guess: a part of a millisecond is kept, or is zero: P0D.
# Seen:  it is a P alone, which is no duration of ISO 8601. A second in the past is minus one day and
#        23:59:59 hours, which few readers accept.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund milliseconds-to-iso-8601-duration@0.1.0 >/dev/null 2>&1
cat >run.js <<'JS'
const { iso8601duration } = require('milliseconds-to-iso-8601-duration');
for (const time of [1_500, 0, 0.4, 0.9, -1_000]) console.log(`${time} ms: ${iso8601duration(time)}`);
JS
node run.js | tee seen
diff seen - <<'OUT'
1500 ms: PT1.500S
0 ms: P0D
0.4 ms: P
0.9 ms: P
-1000 ms: P-1DT23H59M59S
OUT
