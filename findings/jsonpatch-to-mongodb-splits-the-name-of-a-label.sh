#!/usr/bin/env bash
# A JSON Patch that changes a label with the usual form of its name, converted into an update of MongoDB by
# jsonpatch-to-mongodb 1.0.0. MongoDB reads a dot in a path of `$set` as a step into an object.
# Guess: an error, since a path of `$set` cannot name a field with dots, or a form that MongoDB reads as one
#        name.
# Seen:  the dots of the name stay, so MongoDB would set `labels`, `app`, `kubernetes`, `io/name`. The label
#        is not changed, and a new tree is beside it. A label without dots is converted well.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund jsonpatch-to-mongodb@1.0.0 >/dev/null 2>&1
cat >convert.js <<'JS'
const convert = require('jsonpatch-to-mongodb');
for (const label of ['tier', 'app.kubernetes.io/name']) {
  const path = `/metadata/labels/${label.replace('/', '~1')}`;
  const [target] = Object.keys(convert([{ op: 'replace', path, value: 'web' }]).$set);
  console.log(`${label}: ${target.split('.').join(' > ')}`);
}
JS
node convert.js | tee seen
diff seen - <<'OUT'
tier: metadata > labels > tier
app.kubernetes.io/name: metadata > labels > app > kubernetes > io/name
OUT
