#!/usr/bin/env bash
# The difference of two sets of labels by rus-diff 1.1.0, applied to the first set by the same package. One
# label has no dots, one has the usual form with dots.
# Guess: the result of each is the second set.
# Seen:  the label with dots keeps its old value, and the new value is in a tree of objects beside it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund rus-diff@1.1.0 >/dev/null 2>&1
cat >diff.js <<'JS'
const { diff, apply } = require('rus-diff');
for (const label of ['tier', 'app.kubernetes.io/version']) {
  const before = { labels: { [label]: '1' } };
  console.log(JSON.stringify(apply(before, diff(before, { labels: { [label]: '2' } }))));
}
JS
node diff.js | tee seen
diff seen - <<'OUT'
{"labels":{"tier":"2"}}
{"labels":{"app.kubernetes.io/version":"1","app":{"kubernetes":{"io/version":"2"}}}}
OUT
