#!/usr/bin/env bash
# Versions of builds of a branch, compared by semantic-compare 1.0.2, which follows Semantic Versioning 2.0.0 by its
# description, and by semver 7.8.6.
# Guess: the same results. The rules allow hyphens in an identifier.
# Seen:  semantic-compare ends an identifier at its first hyphen, so two builds of different branches are equal.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund semantic-compare@1.0.2 semver@7.8.6 >/dev/null 2>&1
cat >compare.js <<'JS'
const compare = require('semantic-compare');
const semver = require('semver');
const pairs = [['fix.1', 'fix.2'], ['fix-dns', 'fix-login'], ['rc-1', 'rc-2']];
for (const [a, b] of pairs.map((pair) => pair.map((name) => `1.0.0-${name}`))) {
  console.log(`${a}, ${b}: ${compare(a, b)}, semver: ${semver.compare(a, b)}`);
}
JS
node compare.js | tee seen
diff seen - <<'OUT'
1.0.0-fix.1, 1.0.0-fix.2: -1, semver: -1
1.0.0-fix-dns, 1.0.0-fix-login: 0, semver: -1
1.0.0-rc-1, 1.0.0-rc-2: 0, semver: -1
OUT
