#!/usr/bin/env bash
# A JSON Patch (RFC 6902) that moves the last step of a list to its start, applied by yaml-diff-patch 2.0.0 to YAML
# and by fast-json-patch 3.1.1 to the same object.
# Guess: both return the three steps in the new order.
# Seen:  yaml-diff-patch returns two. It puts the last step in the place of the first one, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund yaml-diff-patch@2.0.0 yaml@2.9.1 fast-json-patch@3.1.1 >/dev/null 2>&1
cat >patch.js <<'JS'
const { yamlPatch } = require('yaml-diff-patch');
const { applyPatch } = require('fast-json-patch');
const { parse, stringify } = require('yaml');
const steps = { steps: ['build', 'test', 'lint'] };
const patch = [{ op: 'move', from: '/steps/2', path: '/steps/0' }];
console.log(`yaml-diff-patch: ${parse(yamlPatch(stringify(steps), patch)).steps}`);
console.log(`fast-json-patch: ${applyPatch(steps, patch).newDocument.steps}`);
JS
node patch.js | tee seen
diff seen - <<'OUT'
yaml-diff-patch: lint,test
fast-json-patch: lint,build,test
OUT
