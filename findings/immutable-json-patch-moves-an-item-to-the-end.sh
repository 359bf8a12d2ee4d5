#!/usr/bin/env bash
# A JSON Patch (RFC 6902) that adds a container at the index 5 of a list of one, applied by immutable-json-patch 6.0.3
# and by fast-json-patch 3.1.1, which checks the patch.
# Guess: an error from both, as the RFC forbids an index beyond the length of the list.
# Seen:  immutable-json-patch adds it at the end, without an error. Its own patch that takes this back restores
#        nothing.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund immutable-json-patch@6.0.3 fast-json-patch@3.1.1 >/dev/null 2>&1
cat >apply.mjs <<'JS'
import fast from 'fast-json-patch';
import { immutableJSONPatch, revertJSONPatch } from 'immutable-json-patch';
const pod = { containers: ['web'] };
const patch = [{ op: 'add', path: '/containers/5', value: 'proxy' }];
try {
  fast.applyPatch(structuredClone(pod), patch, true);
} catch (error) {
  console.log(`fast-json-patch: ${error.name}`);
}
const changed = immutableJSONPatch(pod, patch);
const restored = immutableJSONPatch(changed, revertJSONPatch(pod, patch));
console.log(`immutable-json-patch: ${changed.containers}, taken back: ${restored.containers}`);
JS
node apply.mjs | tee seen
diff seen - <<'OUT'
fast-json-patch: OPERATION_VALUE_OUT_OF_BOUNDS
immutable-json-patch: web,proxy, taken back: web,proxy
OUT
