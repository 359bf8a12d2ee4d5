#!/usr/bin/env bash
# A LogQL query without a line filter, read by LogQL of @sigyn/logql 2.2.0, then written, and narrowed by
# the method lineEq.
# Guess: the same query, and the same query with one filter.
# Seen:  the selector itself is added as a text that each line must contain, so the query finds nothing. A
#        second filter has its operator twice, which LogQL refuses.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @sigyn/logql@2.2.0 >/dev/null 2>&1
cat >run.js <<'JS'
const { LogQL } = require('@sigyn/logql');
console.log(String(new LogQL('{app="shop"}')));
console.log(String(new LogQL('{app="shop"}').lineEq('late')));
console.log(String(new LogQL('{app="shop"} |= `order` |= `late`')));
JS
node run.js | tee seen
diff seen - <<'OUT'
{app="shop"} |= `{app="shop"}`
{app="shop"} |= `{app="shop"}` |= |= `late`
{app="shop"} |= `order` |= |= `late`
OUT
