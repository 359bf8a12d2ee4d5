#!/usr/bin/env bash
# A merge patch of a deployment, applied by json8-merge-patch 1.0.4 and by json-merge-patch 1.0.2. Then the same
# package compares the result with the next version.
# Guess: a patch with the new count.
# Seen:  json8-merge-patch creates objects without a prototype, and its own comparison calls a method of the prototype.
#        So the comparison of its own result ends with an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund json8-merge-patch@1.0.4 json-merge-patch@1.0.2 >/dev/null 2>&1
cat >run.js <<'JS'
const json8 = require('json8-merge-patch');
const other = require('json-merge-patch');
const patch = { spec: { replicas: 1 } };
const next = { kind: 'Deployment', spec: { replicas: 2 } };
for (const [name, apply, compare] of [
  ['json8-merge-patch', json8.apply, json8.diff],
  ['json-merge-patch', other.apply, other.generate],
]) {
  const applied = apply({ kind: 'Deployment' }, patch);
  let seen;
  try {
    seen = JSON.stringify(compare(applied, next));
  } catch (error) {
    seen = error.message;
  }
  console.log(`${name}: ${JSON.stringify(applied)}: ${seen}`);
}
JS
node run.js | tee seen
diff seen - <<'OUT'
json8-merge-patch: {"kind":"Deployment","spec":{"replicas":1}}: a.hasOwnProperty is not a function
json-merge-patch: {"kind":"Deployment","spec":{"replicas":1}}: {"spec":{"replicas":2}}
OUT
