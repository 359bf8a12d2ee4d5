#!/usr/bin/env bash
# Patches that json-patch-gen 1.0.2 generates for the `podSelector` of a rule of a NetworkPolicy: from null to `{}`, from `{}` to null, and
# without the field at first. In Kubernetes null is no selector, and `{}` selects all pods.
# Guess: the first two replace the value, and the third adds it.
# Seen:  null and an empty object are taken for equal, in both directions. The patch is empty, and the change never reaches the cluster.
#        Only a field that was missing is added.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund json-patch-gen@1.0.2 >/dev/null 2>&1
cat >patch.js <<'JS'
const diff = require('json-patch-gen');
const pairs = [
  [{ podSelector: null }, { podSelector: {} }],
  [{ podSelector: {} }, { podSelector: null }],
  [{}, { podSelector: {} }],
  [{ podSelector: null }, { podSelector: [] }],
];
for (const [before, after] of pairs) {
  console.log(`${JSON.stringify(before)} to ${JSON.stringify(after)}: ${JSON.stringify(diff(before, after))}`);
}
JS
node patch.js | tee seen
diff seen - <<'OUT'
{"podSelector":null} to {"podSelector":{}}: []
{"podSelector":{}} to {"podSelector":null}: []
{} to {"podSelector":{}}: [{"op":"add","path":"/podSelector","value":{}}]
{"podSelector":null} to {"podSelector":[]}: [{"op":"replace","path":"/podSelector","value":[]}]
OUT
