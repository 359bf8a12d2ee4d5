#!/usr/bin/env bash
# A service behind a circuit breaker of @bennadel/circuit-breaker 0.0.1 fails each call. A second breaker with
# a higher volume threshold guards a function that uses the first one.
# Guess: each call fails for the second breaker, so it opens after five calls.
# Seen:  it counts two failures of 20 calls and stays closed. It takes the refusals of the inner breaker for
#        its own, since they have the same class. Failures that are no refusal open it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @bennadel/circuit-breaker@0.0.1 >/dev/null 2>&1
cat >breakers.js <<'JS'
const { CircuitBreakerFactory } = require('@bennadel/circuit-breaker');
const fail = async () => {
  throw new Error('unavailable');
};
const run = async (name, command) => {
  const outer = CircuitBreakerFactory.create({ volumeThreshold: 5, failureThreshold: 50 });
  let failed = 0;
  for (let call = 0; call < 20; call += 1) await outer.execute(command).catch(() => (failed += 1));
  console.log(`${name}: ${failed} of 20 calls failed, ${outer.isOpened() ? 'open' : 'closed'}`);
};
const inner = CircuitBreakerFactory.create({ volumeThreshold: 2, failureThreshold: 50 });
run('with an inner breaker', () => inner.execute(fail)).then(() => run('without an inner breaker', fail));
JS
node breakers.js | tee seen
diff seen - <<'OUT'
with an inner breaker: 20 of 20 calls failed, closed
without an inner breaker: 20 of 20 calls failed, open
OUT
