#!/usr/bin/env bash
# A sample with the labels `service` and `__name__`, sent by prometheus-remote-write 0.5.1 as in its README.
# Guess: a request as the specification of remote write demands it: labels sorted by name, and headers for the compression and the version.
# Seen:  the labels stay in the order in which they were written, those of the options first, so `__name__` comes last. Both headers are
#        missing. Prometheus sorts and assumes what is missing, so tests with it succeed; other receivers may refuse what breaks the specification.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund prometheus-remote-write@0.5.1 snappyjs@0.7.0 >/dev/null 2>&1
cat >send.js <<'JS'
const { deserialize, pushMetrics } = require('prometheus-remote-write');
const { uncompress } = require('snappyjs');
const fetch = async (url, { headers, body }) => {
  const { timeseries } = await deserialize(uncompress(body));
  console.log('labels:', timeseries[0].labels.map(({ name }) => name).join(', '));
  console.log('headers:', Object.keys(headers).join(', '));
  return { status: 204, statusText: 'No Content', text: async () => '' };
};
void pushMetrics({ stuck_rollouts: 1 }, { url: 'http://prometheus/api/v1/write', labels: { service: 'web' }, fetch });
JS
node send.js | tee seen
diff seen - <<'OUT'
labels: service, __name__
headers: Content-Type
OUT
