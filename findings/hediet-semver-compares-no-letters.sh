#!/usr/bin/env bash
# Two release candidates without a point in the name, compared by @hediet/semver 0.2.2, which implements Semantic
# Versioning 2.0.0 by its description, and by semver 7.8.6.
# Guess: rc1 is before rc2, as rc.1 is before rc.2.
# Seen:  @hediet/semver compares no letters, so "rc1" equals "rc2". A number that the rules put before letters equals
#        them too.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @hediet/semver@0.2.2 semver@7.8.6 >/dev/null 2>&1
cat >compare.js <<'JS'
const { SemanticVersion } = require('@hediet/semver');
const semver = require('semver');
for (const [a, b] of [['1.0.0-rc.1', '1.0.0-rc.2'], ['1.0.0-rc1', '1.0.0-rc2'], ['1.0.0-1', '1.0.0-rc']]) {
  const own = SemanticVersion.parse(a).compareTo(SemanticVersion.parse(b));
  console.log(`${a}, ${b}: ${Math.sign(own)}, semver: ${semver.compare(a, b)}`);
}
JS
node compare.js | tee seen
diff seen - <<'OUT'
1.0.0-rc.1, 1.0.0-rc.2: -1, semver: -1
1.0.0-rc1, 1.0.0-rc2: 0, semver: -1
1.0.0-1, 1.0.0-rc: 0, semver: -1
OUT
