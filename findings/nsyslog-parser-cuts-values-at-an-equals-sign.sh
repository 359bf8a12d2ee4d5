#!/usr/bin/env bash
# Fields whose values contain `=`, parsed by nsyslog-parser 0.10.1: in the structured data of RFC 5424, where a value in quotes may contain the
# sign, and in the Common Event Format, which escapes it as `\=`.
# Guess: the value in full in both formats.
# Seen:  in structured data, the word before the sign becomes the name of one more field, which takes the rest of the value. In the
#        Common Event Format, the rest of the value is lost, and the escape mark stays.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund nsyslog-parser@0.10.1 >/dev/null 2>&1
cat >parse.js <<'JS'
const parse = require('nsyslog-parser');
const header = '<30>1 2026-10-11T22:14:15.003Z node-1 kubelet 12 ID47';
console.log(JSON.stringify(parse(`${header} [pod@32473 name="web" reason="limit cpu=2 reached"] Throttled`).structuredData));
console.log(JSON.stringify(parse(`${header} - CEF:0|Vendor|Product|1.0|100|Request|5|request=https://shop.example/?page\\=2 act=blocked`).fields));
JS
node parse.js | tee seen
diff seen - <<'OUT'
[{"$id":"pod@32473","name":"web","reason":"limit","cpu":"2 reached"}]
{"request":"https://shop.example/?page\\","act":"blocked"}
OUT
