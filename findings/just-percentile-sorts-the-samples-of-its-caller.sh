#!/usr/bin/env bash
# The latencies of a rollout in the order of time, and their median by just-percentile 4.2.0.
# Guess: the median is returned, and the list keeps its order.
# Seen:  the median is right, and the list of the caller is sorted. The latency that came last is not the last
#        one any more, so a trend that is computed from the same list is always upwards.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund just-percentile@4.2.0 >/dev/null 2>&1
cat >percentile.js <<'JS'
const percentile = require('just-percentile');
const latencies = [900, 400, 100];
console.log(`median ${percentile(latencies, 0.5)}, first ${latencies[0]}, last ${latencies[2]}`);
JS
node percentile.js | tee seen
diff seen - <<'OUT'
median 400, first 100, last 900
OUT
