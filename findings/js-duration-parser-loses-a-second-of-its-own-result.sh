#!/usr/bin/env bash
# Durations, read by js-duration-parser 1.1.3 as minutes and as hours and written again in the same unit. The
# description names writing as the reverse operation.
# Guess: the same durations, or the same length in other units.
# Seen:  one second is lost from each. The package takes whole numbers of what is left after a division, without
#        rounding. Half a second, which is a very small part of a week, is written as eight weeks.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund js-duration-parser@1.1.3 >/dev/null 2>&1
cat >durations.js <<'JS'
const { default: DurationParser } = require('js-duration-parser');
const parser = new DurationParser();
for (const [text, unit] of [['1m 1s', 'm'], ['1h 1m', 'h'], ['5m 30s', 'h']]) {
  console.log(`${text} in ${unit}: ${parser.compose(parser.parse(text, unit), unit)}`);
}
console.log(`0.5 in s: ${parser.compose(0.5, 's')}`);
JS
node durations.js | tee seen
diff seen - <<'OUT'
1m 1s in m: 1m
1h 1m in h: 1h 59s
5m 30s in h: 5m 29s
0.5 in s: 8w
OUT
