#!/usr/bin/env bash
# A histogram in the text format of Prometheus, translated to OpenTelemetry by @platformatic/promotel 0.2.2: ten requests, of which four
# took at most 0.1 s and nine at most 1 s.
# Guess: the bounds 0.1 and 1 with the counts 4, 5 and 1, because buckets of OpenTelemetry do not include the ones below.
# Seen:  one bucket without bounds: each line of the histogram replaces the bucket of the line before, so only `+Inf` is left. Count and sum
#        are right, so the mean can be computed, but every quantile is lost, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @platformatic/promotel@0.2.2 >/dev/null 2>&1
cat >translate.mjs <<'JS'
import { convert, parse } from '@platformatic/promotel';
const text = `# TYPE seconds histogram
seconds_bucket{le="0.1"} 4
seconds_bucket{le="1"} 9
seconds_bucket{le="+Inf"} 10
seconds_sum 6
seconds_count 10
`;
const [{ scope_metrics: scopes }] = convert(parse(text)).resource_metrics;
const [{ count, sum, explicit_bounds: bounds, bucket_counts: counts }] = scopes[0].metrics[0].histogram.data_points;
console.log(JSON.stringify({ count, sum, bounds, counts }));
JS
node translate.mjs | tee seen
diff seen - <<'OUT'
{"count":10,"sum":6,"bounds":[],"counts":[10]}
OUT
