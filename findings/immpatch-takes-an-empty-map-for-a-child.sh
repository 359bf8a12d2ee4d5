#!/usr/bin/env bash
# A JSON Patch that moves the labels over the annotations, which are empty or have one entry, applied by
# immpatch 0.2.0. By RFC 6902 a move replaces what is at its target.
# Guess: the labels replace the annotations in both cases.
# Seen:  empty annotations are taken for a child of the labels, and the move is refused, since each map
#        includes the empty one.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund immpatch@0.2.0 immutable@3.8.2 >/dev/null 2>&1
cat >patch.js <<'JS'
const Immutable = require('immutable');
const patch = require('immpatch');
for (const annotations of [{ note: 'old' }, {}]) {
  const before = Immutable.fromJS({ labels: { app: 'web' }, annotations });
  try {
    const after = patch(before, [{ op: 'move', from: '/labels', path: '/annotations' }]);
    console.log(`${JSON.stringify(annotations)}: ${JSON.stringify(after)}`);
  } catch (error) {
    console.log(`${JSON.stringify(annotations)}: ${error.reason}`);
  }
}
JS
node patch.js | tee seen
diff seen - <<'OUT'
{"note":"old"}: {"annotations":{"app":"web"}}
{}: "from" location cannot be moved into it's child
OUT
