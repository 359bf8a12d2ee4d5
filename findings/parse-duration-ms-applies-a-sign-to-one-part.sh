#!/usr/bin/env bash
# Durations for parse-duration-ms 0.1.0: 1h30m and -1h30m, which a program in Go or Prometheus (`offset -1h30m`)
# reads as minus 90 minutes.
# Guess: 90 and -90 minutes.
# Seen:  90 and -30 minutes. The sign belongs to the hour only, and the 30 minutes are added.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund parse-duration-ms@0.1.0 >/dev/null 2>&1
cat >signs.mjs <<'JS'
import parse from 'parse-duration-ms';
for (const text of ['1h30m', '-1h30m']) console.log(`${text}: ${parse(text) / 60_000} minutes`);
JS
node signs.mjs | tee seen
diff seen - <<'OUT'
1h30m: 90 minutes
-1h30m: -30 minutes
OUT
