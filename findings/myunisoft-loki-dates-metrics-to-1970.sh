#!/usr/bin/env bash
# The time range of a query, as @myunisoft/loki 6.0.0 returns it for lines of a log and for a metric of the same quarter of an hour. A
# server takes the place of Loki, which writes nanoseconds for lines and seconds for metrics.
# Guess: the same range for both, in one unit.
# Seen:  both are divided as if they were nanoseconds. The range of the lines is in milliseconds; that of the metric lasts no time and
#        lies in the first hour of 1970. Who asks for the lines in the range of a metric finds none.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @myunisoft/loki@6.0.0 >/dev/null 2>&1
cat >query.mjs <<'JS'
import { createServer } from 'node:http';
import { GrafanaApi } from '@myunisoft/loki';

const times = [1_790_000_900, 1_790_000_000];
const results = {
  streams: { stream: { app: 'web' }, values: times.map((time) => [`${time}000000000`, 'failed']) },
  matrix: { metric: { app: 'web' }, values: times.map((time) => [time, '1']) },
};
const server = createServer((request, response) => {
  const resultType = request.url.includes('rate') ? 'matrix' : 'streams';
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ status: 'success', data: { resultType, result: [results[resultType]], stats: {} } }));
});
server.listen(0, '127.0.0.1', async () => {
  const { Loki } = new GrafanaApi({ remoteApiURL: `http://127.0.0.1:${server.address().port}/` });
  console.log('lines: ', (await Loki.queryRangeStream('{app="web"}')).timerange.join(' to '));
  console.log('metric:', (await Loki.queryRangeMatrix('rate({app="web"}[5m])')).timerange.join(' to '));
  process.exit();
});
JS
node query.mjs | tee seen
diff seen - <<'OUT'
lines:  1790000900000 to 1790000000000
metric: 1790 to 1790
OUT
