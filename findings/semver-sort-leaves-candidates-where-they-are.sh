#!/usr/bin/env bash
# Tags, sorted by semver-sort 1.0.0 and by semver 7.8.6, which semver-sort uses.
# Guess: the same order.
# Seen:  semver-sort cuts each tag behind the third number before it compares, so a candidate equals its release and
#        the order stays as it was.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund semver-sort@1.0.0 semver@7.8.6 >/dev/null 2>&1
cat >sort.js <<'JS'
const { asc } = require('semver-sort');
const { sort } = require('semver');
for (const tags of [['1.10.0', '1.9.0'], ['1.0.0', '1.0.0-rc.1'], ['1.0.0-rc.2', '1.0.0-rc.1']]) {
  console.log(`${tags}: ${asc([...tags])}, semver: ${sort([...tags])}`);
}
JS
node sort.js | tee seen
diff seen - <<'OUT'
1.10.0,1.9.0: 1.9.0,1.10.0, semver: 1.9.0,1.10.0
1.0.0,1.0.0-rc.1: 1.0.0,1.0.0-rc.1, semver: 1.0.0-rc.1,1.0.0
1.0.0-rc.2,1.0.0-rc.1: 1.0.0-rc.2,1.0.0-rc.1, semver: 1.0.0-rc.1,1.0.0-rc.2
OUT
