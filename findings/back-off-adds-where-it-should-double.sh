#!/usr/bin/env bash
# Five attempts of a call that fails, with back-off 4.3.0 and the options `delay: 100` and `backoff: true`, described as "if the delay should be
# doubled between execution attempts". The script records the delays and does not wait.
# Guess: 100, 200, 400 and 800 ms.
# Seen:  100, 200, 300 and 400 ms. The delay grows by the same step each time, so a service that recovers slowly gets its calls sooner
#        than planned.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund back-off@4.3.0 >/dev/null 2>&1
cat >delays.js <<'JS'
const realSetTimeout = setTimeout;
const delays = [];
globalThis.setTimeout = (callback, ms, ...rest) => {
  delays.push(ms);
  return realSetTimeout(callback, 0, ...rest);
};
const BackOff = require('back-off');
new BackOff({ times: 5, delay: 100, backoff: true })
  .execute(() => Promise.reject(new Error('unavailable')))
  .catch(() => console.log(delays.join(', ')));
JS
node delays.js | tee seen
diff seen - <<'OUT'
100, 200, 300, 400
OUT
