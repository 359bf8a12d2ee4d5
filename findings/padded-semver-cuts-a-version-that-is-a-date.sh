#!/usr/bin/env bash
# Versions of a chart whose numbers are dates, written by padded-semver 2.0.5 as text that sorts in the order
# of semver, and read back.
# Guess: three texts in the order of the dates, and the same versions when they are read back.
# Seen:  a number keeps its first five digits. Two days of January are one text, and the version that is read
#        back exists nowhere.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund padded-semver@2.0.5 >/dev/null 2>&1
cat >pad.js <<'JS'
const { pad, unpad } = require('padded-semver');
for (const version of ['20240115.0.0', '20240116.0.0', '20241231.0.0']) {
  console.log(`${version}: ${pad(version)}, read back: ${unpad(pad(version))}`);
}
JS
node pad.js | tee seen
diff seen - <<'OUT'
20240115.0.0: 20240!0000!0000!0000!~, read back: 20240.0.0
20240116.0.0: 20240!0000!0000!0000!~, read back: 20240.0.0
20241231.0.0: 20241!0000!0000!0000!~, read back: 20241.0.0
OUT
