#!/usr/bin/env bash
# A line of Bunyan, sent by the Bunyan stream of gelfy 3.0.0, "GELF Integrations for Node.js Logging Libraries". GELF requires the field `version`,
# reads the time from `timestamp`, and has other fields with an underscore in front.
# Guess: `version`, `timestamp` and `_pod`.
# Seen:  none of them. The time is sent as `time`, and the fields of the line without the underscore. A server that follows the format
#        dates the line by its arrival and ignores its fields.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund gelfy@3.0.0 >/dev/null 2>&1
cat >send.js <<'JS'
const { createBunyanStream } = require('gelfy');
const stream = createBunyanStream();
stream.client.send = (message, done) => {
  console.log(Object.keys(JSON.parse(message)).sort().join(', '));
  done();
};
stream.write({ name: 'shop', hostname: 'node-1', level: 50, msg: 'failed', time: '2026-01-01T00:00:00Z', v: 0, pod: 'web-1' });
JS
node send.js | tee seen
diff seen - <<'OUT'
bunyan_level, facility, full_message, host, level, name, pod, short_message, time
OUT
