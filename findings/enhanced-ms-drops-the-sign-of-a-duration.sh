#!/usr/bin/env bash
# Durations below zero, as in "5 minutes before the deadline", read and written by enhanced-ms 5.0.0.
# Guess: -300000 and a text with a sign, or no value.
# Seen:  the sign is lost in both directions, so a time in the past becomes one in the future.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund enhanced-ms@5.0.0 >/dev/null 2>&1
cat >sign.mjs <<'JS'
import { ms } from 'enhanced-ms';
for (const value of ['-5m', '-5 minutes', -300000, 300000]) console.log(`${value}: ${ms(value)}`);
JS
node sign.mjs | tee seen
diff seen - <<'OUT'
-5m: 300000
-5 minutes: 300000
-300000: 5 minutes
300000: 5 minutes
OUT
