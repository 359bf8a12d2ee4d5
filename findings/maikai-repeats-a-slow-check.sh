#!/usr/bin/env bash
# A check of a database with `minCacheMs: 10000` in maikai 0.8.1, which promises to run it "every 10 seconds (10,000 milliseconds), at most",
# for "preventing health monitoring software from DDOS-ing your valuable systems". Three requests come while it runs, and one after it.
# Guess: the check runs once, and all four requests get its result.
# Seen:  the time of a run is noted when it ends. Each request that comes before that starts the check again, so a slow database gets the
#        more checks the slower it is. The request after the end gets the kept result.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund maikai@0.8.1 >/dev/null 2>&1
cat >check.js <<'JS'
const health = require('maikai')();
const waiting = [];
health.addCheck('database', 'connection', () => new Promise((resolve) => waiting.push(resolve)), { minCacheMs: 10000 });

async function run() {
  const requests = [1, 2, 3].map(() => health.healthResponse());
  console.log(`three requests: ${waiting.length} runs`);
  for (const resolve of waiting) resolve({ status: 'pass' });
  await Promise.all(requests);
  await health.healthResponse();
  console.log(`one more request: ${waiting.length} runs`);
}
run();
JS
timeout 60 node check.js | tee seen
diff seen - <<'OUT'
three requests: 3 runs
one more request: 3 runs
OUT
