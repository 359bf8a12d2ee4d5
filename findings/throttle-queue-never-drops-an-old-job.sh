#!/usr/bin/env bash
# A queue of throttle-queue 0.1.0 whose maxAge is one second. The description states that a job which was not
# run until then is removed. A job waits for two seconds behind another one.
# Guess: it is removed, and its promise is rejected.
# Seen:  it runs. The time of its addition is taken for seconds, so it ends tens of thousands of years from
#        now.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund throttle-queue@0.1.0 >/dev/null 2>&1
cat >run.js <<'JS'
const Queue = require('throttle-queue');
const queue = new Queue({ maxAge: 1 });
queue.setExecutor(async ({ name, time }) => {
  console.log(`run ${name}`);
  await new Promise((resolve) => setTimeout(resolve, time));
  return name;
});
const slow = queue.process({ name: 'slow', time: 2_000 }, 'slow');
const late = queue.process({ name: 'late', time: 0 }, 'late');
Promise.allSettled([slow, late]).then((results) => {
  for (const { status, value, reason } of results) console.log(`${status}: ${value ?? reason.code}`);
});
JS
node run.js | tee seen
diff seen - <<'OUT'
run slow
run late
fulfilled: slow
fulfilled: late
OUT
