#!/usr/bin/env bash
# JSON Patches that add an object, and then test it or add a field to it, applied by immpatch 0.2.0. The
# comparison adds a number and tests it.
# Guess: each patch is applied, as RFC 6902 defines it.
# Seen:  the patches with the object are refused. The package adds the object as it is instead of an immutable
#        map, so it can neither compare nor change it later.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund immpatch@0.2.0 immutable@3.8.2 >/dev/null 2>&1
cat >patch.js <<'JS'
const Immutable = require('immutable');
const patch = require('immpatch');
const affinity = { type: 'node' };
const patches = {
  'add a number, test it': [
    { op: 'add', path: '/replicas', value: 3 },
    { op: 'test', path: '/replicas', value: 3 },
  ],
  'add an object, test it': [
    { op: 'add', path: '/affinity', value: affinity },
    { op: 'test', path: '/affinity', value: affinity },
  ],
  'add an object, add a field': [
    { op: 'add', path: '/affinity', value: affinity },
    { op: 'add', path: '/affinity/weight', value: 1 },
  ],
};
for (const [name, operations] of Object.entries(patches)) {
  try {
    console.log(`${name}: ${JSON.stringify(patch(Immutable.fromJS({}), operations))}`);
  } catch (error) {
    console.log(`${name}: ${error.name}`);
  }
}
JS
node patch.js | tee seen
diff seen - <<'OUT'
add a number, test it: {"replicas":3}
add an object, test it: TestFailError
add an object, add a field: InvalidOperationError
OUT
