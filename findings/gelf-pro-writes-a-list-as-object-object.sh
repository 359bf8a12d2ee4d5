#!/usr/bin/env bash
# A message of gelf-pro 1.4.0 with extra fields: an object, a list of texts, and a list of objects.
# Guess: the names of the nodes in all three, as fields or as JSON.
# Seen:  the object becomes the field `_node_name`, and the list of objects becomes "[object Object]" for each
#        object, so the nodes are lost.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund gelf-pro@1.4.0 >/dev/null 2>&1
cat >list.js <<'JS'
const gelf = require('gelf-pro');
gelf.adapter = {
  send: (text) => {
    const fields = Object.entries(JSON.parse(text)).filter(([name]) => name.startsWith('_'));
    for (const [name, value] of fields) console.log(`${name}: ${JSON.stringify(value)}`);
  },
};
gelf.error('no room', { node: { name: 'a' }, names: ['b', 'c'], nodes: [{ name: 'd' }, { name: 'e' }] });
JS
node list.js | tee seen
diff seen - <<'OUT'
_node_name: "a"
_names: "b,c"
_nodes: "[object Object],[object Object]"
OUT
