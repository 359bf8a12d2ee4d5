#!/usr/bin/env bash
# Durations, read by enhanced-ms 5.0.0 as milliseconds.
# Guess: 500 for each.
# Seen:  ".5s" without a zero is five seconds. The point is skipped, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund enhanced-ms@5.0.0 >/dev/null 2>&1
cat >read.mjs <<'JS'
import { ms } from 'enhanced-ms';
for (const text of ['500ms', '0.5s', '.5s']) console.log(`${text}: ${ms(text)}`);
JS
node read.mjs | tee seen
diff seen - <<'OUT'
500ms: 500
0.5s: 500
.5s: 5000
OUT
