#!/usr/bin/env bash
# Durations of ISO 8601, read by @0dep/piso 5.1.2, written again and read again.
# Guess: the same durations.
# Seen:  zero seconds are written as "P", without a part, and the package refuses to read this. An interval with the
#        duration of zero ends in the same way.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @0dep/piso@5.1.2 >/dev/null 2>&1
cat >round.js <<'JS'
const { parseDuration, parseInterval } = require('@0dep/piso');
for (const [parse, text] of [[parseDuration, 'PT5S'], [parseDuration, 'PT0S'], [parseInterval, '2026-11-30/PT0S']]) {
  const written = parse(text).toISOString();
  try {
    parse(written);
    console.log(`${text}: ${written}`);
  } catch (error) {
    console.log(`${text}: ${written}: ${error.message.slice(0, 40)}`);
  }
}
JS
node round.js | tee seen
diff seen - <<'OUT'
PT5S: PT5S
PT0S: P: Unexpected ISO 8601 duration character "
2026-11-30/PT0S: 2026-11-30T00:00:00.000Z/P: Unexpected ISO 8601 duration character "
OUT
