#!/usr/bin/env bash
# A program that stops by shutdown 0.3.0 while two steps of its shutdown hang. The time limits are 10 s for a step and 15 s for all. The code of
# the module names the exit code 11 for a shutdown that failed. The script makes the clock run a hundred times faster.
# Guess: exit code 11.
# Seen:  exit code 0. The error of the time limit is passed to a function that drops it. Kubernetes reports the container as
#        completed, although neither step has finished.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund shutdown@0.3.0 >/dev/null 2>&1
cat >stop.js <<'JS'
const realSetTimeout = setTimeout;
globalThis.setTimeout = (callback, ms, ...rest) => realSetTimeout(callback, ms / 100, ...rest);
const shutdown = require('shutdown');
setInterval(() => {}, 1000);
for (const stage of [1, 2]) shutdown.addHandler(`step ${stage}`, stage, () => {});
shutdown.shutdownGracefully(0);
JS
code=0
timeout 60 node --no-warnings stop.js 2>steps || code=$?
cat steps - <<<"exit code $code" | tee seen
diff seen - <<'OUT'
step 2 shutdown handler did not complete in a timely manner
exit code 0
OUT
