#!/usr/bin/env bash
# A list of objects and a list of a word, put into a manifest by yaml-edit 0.1.3.
# Guess: both lists as they are.
# Seen:  the list of objects is there. The word becomes objects with a field for each letter.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund yaml-edit@0.1.3 >/dev/null 2>&1
cat >insert.js <<'JS'
const editor = require('yaml-edit')();
editor.init('spec:\n  paused: false\n');
editor.insertChild('spec', { env: [{ name: 'MODE' }], args: ['ok'] });
process.stdout.write(editor.dump());
JS
node insert.js | tee seen
diff seen - <<'OUT'
spec:
  env:
    - name: MODE
  args:
    - 0: o
    - 1: k
  paused: false
OUT
