#!/usr/bin/env bash
# The object in the description of json-to-line-protocol 0.2.0, whose second tag is a number, and one without tags.
# The description says that tags are optional and that a line may be written of any object of that form.
# Guess: two lines.
# Seen:  a TypeError for each: the package changes tags as texts, and lists the names of absent tags.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund json-to-line-protocol@0.2.0 >/dev/null 2>&1
cat >write.js <<'JS'
const { convert } = require('json-to-line-protocol');
for (const tags of [{ a: '1' }, { a: '1', b: 2 }, undefined]) {
  try {
    console.log(convert({ measurement: 'name-of-measure', fields: { c: '2', d: 3 }, tags, ts: 1 }));
  } catch (error) {
    console.log(String(error));
  }
}
JS
node write.js | tee seen
diff seen - <<'OUT'
name-of-measure,a=1 c=2,d=3 1
TypeError: input.replace is not a function
TypeError: Cannot convert undefined or null to object
OUT
