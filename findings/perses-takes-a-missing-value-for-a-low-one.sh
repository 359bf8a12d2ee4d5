#!/usr/bin/env bash
# A panel of Perses names the ready replicas by value mappings of @perses-dev/core 0.52.0: one for `null`, "no data", and one for the range
# up to 1, "too few". The values are 3, 1 and null, as for a series that has ended.
# Guess: 3 as it is, then "too few", then "no data", in either order of the mappings.
# Seen:  null lies in each range that includes 0, and the last mapping that matches wins. With the range behind it, a series without data is
#        named "too few".
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @perses-dev/core@0.52.0 >/dev/null 2>&1
cat >map.js <<'JS'
const { applyValueMapping } = require('@perses-dev/core');
const missing = { kind: 'Misc', spec: { value: 'null', result: { value: 'no data' } } };
const low = { kind: 'Range', spec: { to: 1, result: { value: 'too few' } } };
for (const [order, mappings] of [['range first', [low, missing]], ['range last', [missing, low]]]) {
  console.log(`${order}: ${[3, 1, null].map((value) => applyValueMapping(value, mappings).value).join(', ')}`);
}
JS
node map.js | tee seen
diff seen - <<'OUT'
range first: 3, too few, no data
range last: 3, too few, too few
OUT
