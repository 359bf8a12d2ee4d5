#!/usr/bin/env bash
# Two levels of one's own, defined in the option `customLevels` of pino-syslog 4.0.0 with a name of a syslog severity each: `alert` and
# `emergency`. The facility is 16, so the priority is 128 and the severity.
# Guess: severity 1 for the alert and 0 for the emergency.
# Seen:  severity 3, `error`, for the emergency. Its number is 0, which is taken for an unknown name. The most severe level is sent as a
#        lesser one than the alert, without a warning.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund pino-syslog@4.0.0 >/dev/null 2>&1
cat >levels.json <<'JSON'
{ "modern": true, "messageOnly": true, "newline": true, "customLevels": {
  "down": { "level": 70, "syslogSeverity": "alert" },
  "lost": { "level": 80, "syslogSeverity": "emergency" } } }
JSON
cat >lines <<'JSON'
{"level":70,"time":1767225600000,"pid":1,"hostname":"node-1","msg":"alert"}
{"level":80,"time":1767225600000,"pid":1,"hostname":"node-1","msg":"emergency"}
JSON
npx --no-install pino-syslog --config levels.json <lines | sed -E 's/^<([0-9]+)>.* ([a-z]+)$/\2: \1/' | while IFS=' ' read -r name priority; do
  echo "$name severity $((priority - 128))"
done | tee seen
diff seen - <<'OUT'
alert: severity 1
emergency: severity 3
OUT
