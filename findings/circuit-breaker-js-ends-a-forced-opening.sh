#!/usr/bin/env bash
# A circuit breaker of circuit-breaker-js 0.0.1, opened with `forceOpen`, over the ten parts of its window. The
# script replaces the timer of the window and runs it by hand.
# Guess: no command runs until `unforce`, because the description names no other end.
# Seen:  commands run again after one window. The timer makes each open circuit breaker half-open, also one that
#        was forced open, so a dependency that a person switched off receives requests after ten seconds.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund circuit-breaker-js@0.0.1 >/dev/null 2>&1
cat >force.js <<'JS'
const CircuitBreaker = require('circuit-breaker-js');
let tick = () => undefined;
globalThis.setInterval = (run) => {
  tick = run;
};
const breaker = new CircuitBreaker({ windowDuration: 10_000, numBuckets: 10 });
const report = (when) => {
  let ran = false;
  breaker.run((success) => {
    ran = true;
    success();
  });
  console.log(`${when}: ${ran ? 'the command runs' : 'no command'}`);
};
breaker.forceOpen();
report('forced open');
for (let second = 1; second <= 11; second += 1) tick();
report('one window later');
JS
node force.js | tee seen
diff seen - <<'OUT'
forced open: no command
one window later: the command runs
OUT
