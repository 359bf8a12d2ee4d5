#!/usr/bin/env bash
# A circuit breaker of circuitbreaker 0.2.1 with `maxFailures: 3`. It opens after three failures, a person
# closes it with `forceClosed`, and the time to half-open passes. Then one call fails.
# Guess: the circuit breaker stays closed, because it was closed and one failure is below the limit.
# Seen:  it becomes half-open although it was closed, and the one failure opens it. The timer of the first
#        opening still runs.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund circuitbreaker@0.2.1 >/dev/null 2>&1
cat >close.js <<'JS'
const createBreaker = require('circuitbreaker');
let resetTimer = () => undefined;
const realTimer = globalThis.setTimeout;
globalThis.setTimeout = (run, ms, ...rest) => {
  if (ms !== 5000) return realTimer(run, ms, ...rest);
  resetTimer = run;
  return undefined;
};
const breaker = createBreaker((callback) => callback(new Error('refused')), { maxFailures: 3, resetTimeout: 5000 });
for (const event of ['open', 'close', 'halfOpen']) breaker.on(event, () => console.log(event));
const fail = () => breaker().then(undefined, () => undefined);
(async () => {
  for (let call = 0; call < 3; call += 1) await fail();
  breaker.forceClosed();
  resetTimer();
  await fail();
  console.log(`open after one failure: ${breaker.isOpen()}`);
})();
JS
node close.js | tee seen
diff seen - <<'OUT'
open
close
halfOpen
open
open after one failure: true
OUT
