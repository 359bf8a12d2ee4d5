#!/usr/bin/env bash
# Two messages of RFC 5424 without structured data (`-`), parsed by nsyslog-parser 0.10.1. The text of the second has a part in brackets.
# Guess: the text of each message in full, and no structured data.
# Seen:  the part in brackets is taken for structured data, and the text ends before it. The words behind the brackets are in neither
#        field, so the reason of the failure is lost.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund nsyslog-parser@0.10.1 >/dev/null 2>&1
cat >parse.js <<'JS'
const parse = require('nsyslog-parser');
for (const text of ['Container web failed: no memory', 'Container [container name="web"] failed: no memory']) {
  const { message, structuredData } = parse(`<30>1 2026-10-11T22:14:15.003Z node-1 kubelet 12 ID47 - ${text}`);
  console.log(`${text}\n  message: ${message}, structured data: ${JSON.stringify(structuredData)}`);
}
JS
node parse.js | tee seen
diff seen - <<'OUT'
Container web failed: no memory
  message: Container web failed: no memory, structured data: []
Container [container name="web"] failed: no memory
  message: Container, structured data: [{"$id":"container","name":"web"}]
OUT
