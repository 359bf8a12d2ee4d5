#!/usr/bin/env bash
# Differences of two clocks as text by simple-duration 1.1.1, rounded to milliseconds, and read again by the
# same package. One difference is below half a millisecond and negative.
# Guess: it is written as 0ms, as the positive difference is.
# Seen:  the text is a minus sign alone, and the package cannot read its own text.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund simple-duration@1.1.1 >/dev/null 2>&1
cat >run.js <<'JS'
const { parse, stringify } = require('simple-duration');
for (const seconds of [-0.002, 0.0001, -0.0001]) {
  const text = stringify(seconds, 'ms');
  let again;
  try {
    again = parse(text);
  } catch (error) {
    again = error.message;
  }
  console.log(`${seconds}: "${text}", read again: ${again}`);
}
JS
node run.js | tee seen
diff seen - <<'OUT'
-0.002: "-2ms", read again: -0.002
0.0001: "0ms", read again: 0
-0.0001: "-", read again: - is not valid Simple Duration Format
OUT
