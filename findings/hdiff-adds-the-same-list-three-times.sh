#!/usr/bin/env bash
# The difference of two lists of words and of two lists of lists, of hdiff 1.1.2. In both the first item was removed.
# Guess: one removed item each.
# Seen:  with lists as items, the list that stays is shown as added three times.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund hdiff@1.1.2 >/dev/null 2>&1
cat >show.js <<'JS'
const hdiff = require('hdiff');
console.log(JSON.stringify(hdiff(['sh', 'ls'], ['ls'])));
console.log(JSON.stringify(hdiff([['sh'], ['ls']], [['ls']])));
JS
node show.js | tee seen
diff seen - <<'OUT'
[{"$del":"sh"},"ls"]
[{"$add":["ls"]},{"$add":["ls"],"$del":{"$del":["sh"]}},{"$add":["ls"],"$del":{"$del":["ls"]}}]
OUT
