#!/usr/bin/env bash
# Versions, compared by @onflow/util-semver 1.0.4 and semver 7.8.6.
# Guess: a candidate is before its release, as the package puts one candidate before the next.
# Seen:  the candidate equals the release, so no tool finds the release newer. Two candidates are in order.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @onflow/util-semver@1.0.4 semver@7.8.6 >/dev/null 2>&1
cat >compare.js <<'JS'
const { compare } = require('@onflow/util-semver');
const semver = require('semver');
for (const [a, b] of [['1.0.0-rc.1', '1.0.0-rc.2'], ['1.0.0-rc.2', '1.0.0'], ['1.0.0', '1.0.1']]) {
  console.log(`${a}, ${b}: ${compare(a, b)}, semver: ${semver.compare(a, b)}`);
}
JS
node compare.js | tee seen
diff seen - <<'OUT'
1.0.0-rc.1, 1.0.0-rc.2: -1, semver: -1
1.0.0-rc.2, 1.0.0: 0, semver: -1
1.0.0, 1.0.1: -1, semver: -1
OUT
