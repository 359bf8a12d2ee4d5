#!/usr/bin/env bash
# The metrics of a replica that has served no request yet, read with prom2javascript 0.2.0. Prometheus clients write the quantiles of
# a summary without observations as NaN, and the text format also names -Inf as a value.
# Guess: NaN becomes the number NaN, as +Inf becomes Infinity.
# Seen:  the whole text is refused, so the readiness that was read before is lost too: `up 1` cannot be read from a new replica until its
#        first request. -Inf, and a name with a colon, as recording rules have it in /federate, are refused in the same way.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund prom2javascript@0.2.0 >/dev/null 2>&1
cat >read.js <<'JS'
const { getMetricsFromIterator } = require('prom2javascript');
const samples = ['seconds_sum +Inf', 'seconds{quantile="0.99"} NaN', 'seconds_sum -Inf', 'job:up:sum 3'];
(async () => {
  for (const sample of samples) {
    try {
      const { up, ...rest } = await getMetricsFromIterator(['up 1', sample].values());
      console.log(`${sample}: up ${up.data[0].value}, then ${Object.values(rest)[0].data[0].value}`);
    } catch (error) {
      console.log(`${sample}: ${error.message}`);
    }
  }
})();
JS
node read.js | tee seen
diff seen - <<'OUT'
seconds_sum +Inf: up 1, then Infinity
seconds{quantile="0.99"} NaN: Unable to parse metric [seconds{quantile="0.99"} NaN]
seconds_sum -Inf: Unable to parse metric [seconds_sum -Inf]
job:up:sum 3: Unable to parse metric [job:up:sum 3]
OUT
