#!/usr/bin/env bash
# A JSON Patch applied by json-touch-patch 0.11.2: it sets the image of `web`, copies `web` to `canary`, and
# sets the image of `canary`. The comparison leaves out the first step.
# Guess: `web` and `canary` have different images in both results.
# Seen:  an object that an earlier step changed is shared by the copy, so the last step changes both. Without
#        the first step the copy is separate.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund json-touch-patch@0.11.2 >/dev/null 2>&1
cat >patch.js <<'JS'
const patch = require('json-touch-patch');
const steps = [
  { op: 'replace', path: '/web/image', value: 'web:2' },
  { op: 'copy', from: '/web', path: '/canary' },
  { op: 'replace', path: '/canary/image', value: 'web:3' },
];
for (const operations of [steps, steps.slice(1)]) {
  console.log(JSON.stringify(patch({ web: { image: 'web:1' } }, operations)));
}
JS
node patch.js | tee seen
diff seen - <<'OUT'
{"web":{"image":"web:3"},"canary":{"image":"web:3"}}
{"web":{"image":"web:1"},"canary":{"image":"web:3"}}
OUT
