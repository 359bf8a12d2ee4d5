#!/usr/bin/env bash
# Tags in the order of tag-cmp 1.0.1, whose description calls it compatible with Semantic Versioning, and of semver
# 7.8.6.
# Guess: the release is last, as in the example of the description.
# Seen:  with the hyphen that Semantic Versioning requires, the release candidate is behind the release, so a bot that
#        takes the last tag rolls out a candidate.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund tag-cmp@1.0.1 semver@7.8.6 >/dev/null 2>&1
cat >sort.js <<'JS'
const { cmpTags } = require('tag-cmp');
const semver = require('semver');
console.log(`without a hyphen: ${['1.2.0', '1.2.0rc1'].sort(cmpTags)}`);
console.log(`with a hyphen:    ${['1.2.0', '1.2.0-rc.1'].sort(cmpTags)}`);
console.log(`semver:           ${['1.2.0', '1.2.0-rc.1'].sort(semver.compare)}`);
JS
node sort.js | tee seen
diff seen - <<'OUT'
without a hyphen: 1.2.0rc1,1.2.0
with a hyphen:    1.2.0,1.2.0-rc.1
semver:           1.2.0-rc.1,1.2.0
OUT
