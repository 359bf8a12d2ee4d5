#!/usr/bin/env bash
# The time that pods took until they were ready, in a histogram of promjs-plus 0.5.4 with the bounds 30 and 60: one pod after
# exactly 30 seconds and one after exactly 60.
# Guess: both are in the bucket of their own bound, because `le` of Prometheus means "less than or equal".
# Seen:  the first one is, the second is not: only at the highest bound, equal counts as above. Where 60 seconds is the objective, a pod
#        that meets it exactly is reported as one that missed it, with the same metric and the same rule.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund promjs-plus@0.5.4 >/dev/null 2>&1
cat >observe.js <<'JS'
const { Registry } = require('promjs-plus');
for (const seconds of [30, 60]) {
  const registry = new Registry();
  registry.create('histogram', 'ready', '', [30, 60]).observe(seconds);
  const buckets = registry.metrics().match(/le=.*/g);
  console.log(`ready after ${seconds} s: ${buckets.join(', ')}`);
}
JS
node observe.js | tee seen
diff seen - <<'OUT'
ready after 30 s: le="30"} 1, le="60"} 1, le="+Inf"} 1
ready after 60 s: le="30"} 0, le="60"} 0, le="+Inf"} 1
OUT
