#!/usr/bin/env bash
# A JSON Patch that replaces the whole document, applied by immutablepatch 0.5.0, which applies patches in the
# style of RFC 6902. In a JSON Pointer, the empty path is the document, and `/` is the field with an empty
# name.
# Guess: the empty path replaces the document, and `/` adds a field with an empty name beside `replicas`.
# Seen:  the empty path changes nothing, without an error. The path `/` replaces the document.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund immutablepatch@0.5.0 immutable@3.8.2 >/dev/null 2>&1
cat >patch.js <<'JS'
const Immutable = require('immutable');
const patch = require('immutablepatch');
for (const path of ['', '/']) {
  const operations = Immutable.fromJS([{ op: 'replace', path, value: { replicas: 3 } }]);
  console.log(`"${path}": ${JSON.stringify(patch(Immutable.fromJS({ replicas: 1 }), operations))}`);
}
JS
node patch.js | tee seen
diff seen - <<'OUT'
"": {"replicas":1}
"/": {"replicas":3}
OUT
