#!/usr/bin/env bash
# A JSON Patch that scales a workload only when it has one replica, converted into an update of MongoDB by
# jsonpatch-to-mongodb 1.0.0. By RFC 6902 a patch whose test fails changes nothing.
# Guess: an error for the operation `test`, like the one for `move`, since an update has no condition.
# Seen:  the test is left out without an error, so the update is unconditional.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund jsonpatch-to-mongodb@1.0.0 >/dev/null 2>&1
cat >convert.js <<'JS'
const convert = require('jsonpatch-to-mongodb');
const scale = { op: 'replace', path: '/replicas', value: 5 };
for (const first of [{ op: 'test', path: '/replicas', value: 1 }, { op: 'move', from: '/a', path: '/b' }]) {
  try {
    console.log(`${first.op}: ${JSON.stringify(convert([first, scale]))}`);
  } catch (error) {
    console.log(`${first.op}: ${error.message}`);
  }
}
JS
node convert.js | tee seen
diff seen - <<'OUT'
test: {"$set":{"replicas":5}}
move: Unsupported Operation! op = move
OUT
