#!/usr/bin/env bash
# Two JSON Patches with a `test`, applied by json-patch-extended 0.1.2: of the limits of a container as an
# object, and of one of the limits. The document has other limits than the tests.
# Guess: both tests fail.
# Seen:  the test of the object passes, so the steps behind it change what they should not. Two objects with
#        the same number of fields are equal for the package, whatever is in them.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund json-patch-extended@0.1.2 >/dev/null 2>&1
cat >patch.js <<'JS'
const jsonpatch = require('json-patch-extended');
const container = { limits: { cpu: '4', memory: '8Gi' } };
const tests = [
  { op: 'test', path: '/limits', value: { cpu: '1', memory: '64Mi' } },
  { op: 'test', path: '/limits/memory', value: '64Mi' },
];
for (const test of tests) {
  const results = [jsonpatch.apply(container, [test])].flat();
  console.log(`${test.path} is ${JSON.stringify(test.value)}: ${results.join()}`);
}
JS
node patch.js | tee seen
diff seen - <<'OUT'
/limits is {"cpu":"1","memory":"64Mi"}: true
/limits/memory is "64Mi": false
OUT
