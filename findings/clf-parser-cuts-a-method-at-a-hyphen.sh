#!/usr/bin/env bash
# Requests in the common log format, read by clf-parser 0.0.2.
# Guess: the methods as they are written.
# Seen:  of "M-SEARCH" only "SEARCH" is left, which is another method of WebDAV.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund clf-parser@0.0.2 >/dev/null 2>&1
cat >read.js <<'JS'
const parse = require('clf-parser');
for (const method of ['GET', 'SEARCH', 'M-SEARCH', 'VERSION-CONTROL']) {
  const line = `10.0.0.1 - - [30/Nov/2026:15:04:05 +0000] "${method} / HTTP/1.1" 200 5`;
  console.log(`${method}: ${parse(line).method}`);
}
JS
node read.js | tee seen
diff seen - <<'OUT'
GET: GET
SEARCH: SEARCH
M-SEARCH: SEARCH
VERSION-CONTROL: CONTROL
OUT
