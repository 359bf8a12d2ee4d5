#!/usr/bin/env bash
# Texts with escapes, computed by cel-js 0.8.2 and by JSON.parse.
# Guess: the same texts. CEL has the escapes of JSON.
# Seen:  cel-js keeps the backslash, so a text with a tab or a backslash never equals the value that it is compared
#        with.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund cel-js@0.8.2 >/dev/null 2>&1
cat >check.mjs <<'JS'
import { evaluate } from 'cel-js';
for (const text of ['"a b"', '"a\\tb"', '"D:\\\\data"']) {
  console.log(`${text}: ${evaluate(`value == ${text}`, { value: JSON.parse(text) })}`);
}
JS
node check.mjs | tee seen
diff seen - <<'OUT'
"a b": true
"a\tb": false
"D:\\data": false
OUT
