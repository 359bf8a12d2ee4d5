#!/usr/bin/env bash
# The metrics of api-observatory 1.1.1 over one minute: one request at the start, read in the same millisecond,
# after one second and after one minute. The script sets the clock.
# Guess: a rate over a fixed time, at most one request per second.
# Seen:  1000 requests per second right after the request. The package divides by the time since the oldest
#        request, so an endpoint that is called once looks like the busiest one.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund api-observatory@1.1.1 >/dev/null 2>&1
cat >rate.js <<'JS'
const { MetricsStore } = require('api-observatory');
let now = 1_767_225_600_000;
Date.now = () => now;
const store = new MetricsStore({ maxPerEndpoint: 100, percentiles: [95], retentionMs: 3_600_000 });
const request = { method: 'GET', pattern: '/pods', statusCode: 200, durationMs: 5, reqSize: 0, resSize: 0 };
store.record({ ...request, timestamp: now });
for (const seconds of [0, 1, 60]) {
  now = 1_767_225_600_000 + seconds * 1000;
  console.log(`after ${seconds} s: ${store.getMetrics()[0].throughput} per second`);
}
store.destroy();
JS
node rate.js | tee seen
diff seen - <<'OUT'
after 0 s: 1000 per second
after 1 s: 1 per second
after 60 s: 0.02 per second
OUT
