#!/usr/bin/env bash
# Lines of pino with the levels info (30), a custom level 35 and error (50), through pino-gelf 2.2.0, which
# prints what it sends. In GELF, 2 is critical, 3 an error, 5 a notice and 6 information.
# Guess: 6, then 5 or 6, then 3.
# Seen:  6, 2 and 3. The package takes each level without a name in pino for a fatal one.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund pino-gelf@2.2.0 >/dev/null 2>&1
for level in 30 35 50; do
  echo "{\"level\":$level,\"time\":1767225600000,\"hostname\":\"node-1\",\"msg\":\"scaled\"}"
done >lines
npx pino-gelf log -h 127.0.0.1 -p 9 -v <lines | sed 's/.*"level":\([0-9]*\).*/level \1/' | tee seen
diff seen - <<'OUT'
level 6
level 2
level 3
OUT
