#!/usr/bin/env bash
# Gauges whose names end with `_count` and `_sum`, translated from the text format of Prometheus to OpenTelemetry by
# @platformatic/promotel 0.2.2.
# Guess: a metric has the name and the type that its TYPE line states.
# Seen:  the ending of the name decides, not the type. `node_count` becomes a histogram `node` without buckets, and `node_sum` the sum of
#        the same one, although both are gauges. A query for `node_count` finds nothing.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @platformatic/promotel@0.2.2 >/dev/null 2>&1
cat >translate.mjs <<'JS'
import { convert, parse } from '@platformatic/promotel';
const gauge = (name, value) => `# TYPE ${name} gauge\n${name} ${value}\n`;
for (const text of [gauge('nodes', 3), gauge('node_count', 3), gauge('node_sum', 7) + gauge('node_count', 3)]) {
  const [{ scope_metrics: scopes }] = convert(parse(text)).resource_metrics;
  const show = ({ name, ...kinds }) =>
    Object.entries(kinds).map(([kind, { data_points: [{ as_double, count, sum }] }]) => `${name}: ${kind} ${as_double ?? `${count}, ${sum}`}`);
  console.log(scopes[0].metrics.flatMap(show).join(' and '));
}
JS
node translate.mjs | tee seen
diff seen - <<'OUT'
nodes: gauge 3
node: histogram 3, 0
node: histogram 3, 7
OUT
