#!/usr/bin/env bash
# Three durations, given as objects to @musement/iso-duration 1.0.0, as a text of ISO 8601 and as parts.
# Guess: the text has all parts of the object.
# Seen:  beside a week the text has no days and no hours, without an error, so a week and a day become a week.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @musement/iso-duration@1.0.0 >/dev/null 2>&1
cat >write.js <<'JS'
const { isoDuration } = require('@musement/iso-duration');
for (const parts of [{ days: 8 }, { weeks: 1 }, { weeks: 1, days: 1 }, { weeks: 1, hours: 12 }]) {
  console.log(`${JSON.stringify(parts)}: ${isoDuration(parts)}`);
}
JS
node write.js | tee seen
diff seen - <<'OUT'
{"days":8}: P8D
{"weeks":1}: P1W
{"weeks":1,"days":1}: P1W
{"weeks":1,"hours":12}: P1W
OUT
