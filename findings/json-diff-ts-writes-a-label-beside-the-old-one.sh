#!/usr/bin/env bash
# A changed value of a label, as a list of single changes of json-diff-ts 4.10.4, which is turned back and applied to
# the original.
# Guess: the new object.
# Seen:  a label without a point is changed. With points the old value stays, and a field with the path as its name
#        appears.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund json-diff-ts@4.10.4 >/dev/null 2>&1
cat >apply.js <<'JS'
const { diff, atomizeChangeset, unatomizeChangeset, applyChangeset } = require('json-diff-ts');
for (const label of ['app', 'app.kubernetes.io/name']) {
  const [before, after] = ['web', 'api'].map((value) => ({ labels: { [label]: value } }));
  const changes = atomizeChangeset(diff(before, after));
  console.log(JSON.stringify(applyChangeset(before, unatomizeChangeset(changes))));
}
JS
node apply.js | tee seen
diff seen - <<'OUT'
{"labels":{"app":"api"}}
{"labels":{"app.kubernetes.io/name":"web"},"labels[app.kubernetes.io/name]":"api"}
OUT
