#!/usr/bin/env bash
# A line of syslog by RFC 5424 with structured data, whose message has brackets, read by @myndzi/glossy
# 0.1.13.
# Guess: the structured data end at their own bracket, and the message is kept as a whole.
# Seen:  the structured data end at the last bracket of the line. The words before it are gone from the
#        message, and a word of the message is an element of the structured data. A line without brackets is
#        read well.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @myndzi/glossy@0.1.13 >/dev/null 2>&1
cat >parse.js <<'JS'
const { Parse } = require('@myndzi/glossy');
for (const message of ['container web is not ready', 'container [web] of [pod] is not ready']) {
  const line = `<14>1 2026-03-01T10:00:00Z node-1 kubelet 7 - [pod name="web-1"] ${message}`;
  const parsed = Parse.parse(line);
  console.log(`"${parsed.message}", ${JSON.stringify(parsed.structuredData)}`);
}
JS
node parse.js | tee seen
diff seen - <<'OUT'
"container web is not ready", {"pod":{"name":"web-1"}}
"is not ready", {"pod":{"name":"web-1"},"web]":{}}
OUT
