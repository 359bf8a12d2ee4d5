#!/usr/bin/env bash
# The ratio of failed to successful requests of three versions, read by prometheus-query 3.5.1: one has few failures, one has no
# success at all (a division by zero, "+Inf" in the JSON of Prometheus), one has no requests (0/0, "NaN").
# Guess: 0.01, Infinity and NaN, as Prometheus means them, so that `ratio > 0.05` stops the second version.
# Seen:  Infinity is NaN as well. `ratio > 0.05` is false for the version that fails every request, and a rollout that stops at this
#        limit goes on. Nothing tells it from a version without traffic.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund prometheus-query@3.5.1 >/dev/null 2>&1
cat >ratio.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import prometheus from 'prometheus-query';
const result = Object.entries({ healthy: '0.01', broken: '+Inf', idle: 'NaN' }).map(([version, ratio]) => ({
  metric: { version },
  value: [1_700_000_000, ratio],
}));
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ status: 'success', data: { resultType: 'vector', result } }));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const driver = new prometheus.PrometheusDriver({ endpoint: `http://127.0.0.1:${server.address().port}` });
const failures = 'sum by (version) (rate(failed[5m])) / sum by (version) (rate(succeeded[5m]))';
for (const { metric, value } of (await driver.instantQuery(failures)).result) {
  console.log(`${metric.labels.version}: ${value.value}, stops: ${value.value > 0.05}`);
}
server.close();
JS
node ratio.mjs | tee seen
diff seen - <<'OUT'
healthy: 0.01, stops: false
broken: NaN, stops: false
idle: NaN, stops: false
OUT
