#!/usr/bin/env bash
# LogQL queries whose labels have underscores and digits, as labels of Kubernetes have in Loki, read and
# written by LogQL of @sigyn/logql 2.2.0.
# Guess: the same names.
# Seen:  a name keeps what follows its last underscore or digit only. kubernetes_namespace becomes
#        namespace, and a label that ends with a digit has no name.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @sigyn/logql@2.2.0 >/dev/null 2>&1
cat >run.js <<'JS'
const { LogQL } = require('@sigyn/logql');
for (const query of [
  '{app="shop"} |= `late`',
  '{kubernetes_namespace="shop"} |= `late`',
  '{app="shop",zone2="b"} |= `late`',
  '{app="shop"} |= `late` | http_status >= 500',
]) {
  console.log(`${query}\n  ${new LogQL(query)}`);
}
JS
node run.js | tee seen
diff seen - <<'OUT'
{app="shop"} |= `late`
  {app="shop"} |= `late`
{kubernetes_namespace="shop"} |= `late`
  {namespace="shop"} |= `late`
{app="shop",zone2="b"} |= `late`
  {app="shop",="b"} |= `late`
{app="shop"} |= `late` | http_status >= 500
  {app="shop"} |= `late` | status >= 500
OUT
