#!/usr/bin/env bash
# Three releases in three orders, for the newest and the oldest one by compare-ver 2.0.2, on Node 20.
# Guess: 2.0.0 is the newest and 1.0.0 the oldest in each order, as the function gt finds.
# Seen:  the list is never sorted, since its comparison function returns no negative number. The newest is the
#        last item, the oldest is the first one, and the list of the caller is empty afterwards.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund compare-ver@2.0.2 >/dev/null 2>&1
cat >run.js <<'JS'
const compareVer = require('compare-ver');
console.log(`2.0.0 is newer than 1.10.0: ${compareVer.gt('2.0.0', '1.10.0') === 1}`);
for (const order of ['1.0.0 1.10.0 2.0.0', '2.0.0 1.10.0 1.0.0', '1.10.0 2.0.0 1.0.0']) {
  const list = order.split(' ');
  const [newest, oldest] = [compareVer.max(list), compareVer.min(order.split(' '))];
  console.log(`${order}: newest ${newest}, oldest ${oldest}; ${list.length} items are left in the list`);
}
JS
node run.js | tee seen
diff seen - <<'OUT'
2.0.0 is newer than 1.10.0: true
1.0.0 1.10.0 2.0.0: newest 2.0.0, oldest 1.0.0; 0 items are left in the list
2.0.0 1.10.0 1.0.0: newest 1.0.0, oldest 2.0.0; 0 items are left in the list
1.10.0 2.0.0 1.0.0: newest 1.0.0, oldest 1.10.0; 0 items are left in the list
OUT
