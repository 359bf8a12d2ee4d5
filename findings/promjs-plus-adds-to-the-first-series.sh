#!/usr/bin/env bash
# A counter of failed rollouts in promjs-plus 0.5.4: one failure with the label `reason`, then two whose reason is not known, counted
# without labels.
# Guess: two series, `failed{reason="timeout"} 1` and `failed 2`, as labels that are left out make another series in Prometheus.
# Seen:  one series. A call without labels adds to the series that was made first, so two failures of unknown reason are reported as
#        timeouts: `failed{reason="timeout"} 3`. In the other order the series stay apart, so what is reported depends on what failed first.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund promjs-plus@0.5.4 >/dev/null 2>&1
cat >count.js <<'JS'
const { Registry } = require('promjs-plus');
const timeout = { reason: 'timeout' };
for (const failures of [[timeout, undefined, undefined], [undefined, undefined, timeout]]) {
  const registry = new Registry();
  const failed = registry.create('counter', 'failed');
  for (const labels of failures) failed.inc(labels);
  console.log(registry.metrics().trim());
}
JS
node count.js | tee seen
diff seen - <<'OUT'
# TYPE failed counter
failed{reason="timeout"} 3
# TYPE failed counter
failed 2
failed{reason="timeout"} 1
OUT
