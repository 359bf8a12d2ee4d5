#!/usr/bin/env bash
# Ten tasks for concurrent-promise-queue 1.1.0 with at most two of them an hour, as in "at most 1 promise every
# second" of its description, and at most ten at one time.
# Guess: two start at once, the others wait.
# Seen:  all ten start at once. The queue counts the tasks that ended in the hour, so slow tasks have no limit but the
#        one of the same time.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund concurrent-promise-queue@1.1.0 >/dev/null 2>&1
cat >start.js <<'JS'
const { ConcurrentPromiseQueue } = require('concurrent-promise-queue');
for (const maxNumberOfConcurrentPromises of [1, 10]) {
  const rate = { maxThroughputPerUnitTime: 2, unitOfTimeMillis: 3600000 };
  const queue = new ConcurrentPromiseQueue({ maxNumberOfConcurrentPromises, ...rate });
  let started = 0;
  for (let task = 0; task < 10; task += 1) queue.addPromise(() => new Promise(() => (started += 1)));
  console.log(`at one time ${maxNumberOfConcurrentPromises}: ${started} started`);
}
process.exit();
JS
node start.js | tee seen
diff seen - <<'OUT'
at one time 1: 1 started
at one time 10: 10 started
OUT
