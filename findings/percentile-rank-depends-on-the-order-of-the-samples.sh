#!/usr/bin/env bash
# The rank of a latency among four samples by percentile-rank 1.0.6, in sorted order and in other orders.
# The description states that it returns the values of PERCENTRANK, which takes samples in any order.
# Guess: 30 has rank 2/3 and 40 has rank 1 in each order.
# Seen:  the rank is the position of the value in the list, so the largest sample may have the lowest rank.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund percentile-rank@1.0.6 >/dev/null 2>&1
cat >run.js <<'JS'
const percentileRank = require('percentile-rank');
for (const samples of [[10, 20, 30, 40], [30, 10, 40, 20], [40, 30, 20, 10]]) {
  const [third, fourth] = [30, 40].map((value) => percentileRank(samples, value).toFixed(2));
  console.log(`${samples}: 30 has rank ${third}, 40 has rank ${fourth}`);
}
JS
node run.js | tee seen
diff seen - <<'OUT'
10,20,30,40: 30 has rank 0.67, 40 has rank 1.00
30,10,40,20: 30 has rank 0.00, 40 has rank 0.67
40,30,20,10: 30 has rank 0.33, 40 has rank 0.00
OUT
