#!/usr/bin/env bash
# Releases and their prereleases by node-version-compare 1.0.3, which compares semver versions: 1 means that
# the first one is newer. Its description shows a prerelease that is a number.
# Guess: each prerelease is older than its release, and a second release candidate is newer than the first
#        one.
# Seen:  a prerelease that is a number is newer than the release, and what follows a second hyphen is not
#        compared.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund node-version-compare@1.0.3 >/dev/null 2>&1
cat >run.js <<'JS'
const compare = require('node-version-compare');
for (const [first, second] of [
  ['1.2.0-rc', '1.2.0'],
  ['1.2.0-1', '1.2.0'],
  ['1.2.0-rc.2', '1.2.0-rc.1'],
  ['1.2.0-rc-2', '1.2.0-rc-1'],
]) {
  console.log(`${first} to ${second}: ${compare(first, second)}`);
}
JS
node run.js | tee seen
diff seen - <<'OUT'
1.2.0-rc to 1.2.0: -1
1.2.0-1 to 1.2.0: 1
1.2.0-rc.2 to 1.2.0-rc.1: 1
1.2.0-rc-2 to 1.2.0-rc-1: 0
OUT
