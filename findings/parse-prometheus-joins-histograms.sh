#!/usr/bin/env bash
# The latency of an API server by verb, a histogram with two values of a label, in parse-prometheus-text-format 1.1.1.
# Guess: one entry for each verb with its buckets, sum and count, as a gauge with a label gives one entry for each value.
# Seen:  one entry without labels. Its buckets are those of the last verb, and sums and counts are gone, without an error. Who
#        looks for slow LIST calls reads the latency of WATCH.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund parse-prometheus-text-format@1.1.1 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import parse from 'parse-prometheus-text-format';
const page = `# TYPE inflight gauge
inflight{verb="LIST"} 1
inflight{verb="WATCH"} 2
# TYPE latency histogram
latency_bucket{verb="LIST",le="1"} 10
latency_bucket{verb="LIST",le="+Inf"} 40
latency_sum{verb="LIST"} 200
latency_count{verb="LIST"} 40
latency_bucket{verb="WATCH",le="1"} 5
latency_bucket{verb="WATCH",le="+Inf"} 6
latency_sum{verb="WATCH"} 3
latency_count{verb="WATCH"} 6
`;
for (const { name, metrics } of parse(page)) console.log(name, JSON.stringify(metrics));
EOF
node read.mjs | tee seen
diff seen - <<'EOF'
inflight [{"value":"1","labels":{"verb":"LIST"}},{"value":"2","labels":{"verb":"WATCH"}}]
latency [{"buckets":{"1":"5","+Inf":"6"}}]
EOF
