#!/usr/bin/env bash
# The keys of three manifests, looked up by yaml-edit 0.1.3. The manifests differ only in the line ends after the last
# key.
# Guess: all have the keys `kind` and `spec`.
# Seen:  yaml-edit finds `spec`, and inserts a field below it, only with an empty line behind it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund yaml-edit@0.1.3 >/dev/null 2>&1
cat >keys.js <<'JS'
const editor = require('yaml-edit')();
for (const text of ['kind: Pod\nspec:', 'kind: Pod\nspec:\n', 'kind: Pod\nspec:\n\n']) {
  editor.init(text);
  const error = editor.insertChild('spec', { hostNetwork: true });
  const found = ['kind', 'spec'].map((key) => editor.hasKey(key));
  console.log(`${JSON.stringify(text)}: ${found}, ${error === null ? 'inserted' : error.message}`);
}
JS
node keys.js | tee seen
diff seen - <<'OUT'
"kind: Pod\nspec:": true,false, Could not find place
"kind: Pod\nspec:\n": true,false, Could not find place
"kind: Pod\nspec:\n\n": true,true, inserted
OUT
