#!/usr/bin/env bash
# A circuit of screwdriver-node-circuitbreaker 3.0.0 with `maxFailures: 2` and a reset after a minute. Two calls fail and open the circuit. The
# answer to a call that began before the first failure arrives after that.
# Guess: the circuit stays open until the reset, since the late answer is older than the failures.
# Seen:  the late answer closes the circuit and clears the count of failures. Under load, each slow answer sends the next calls to the
#        service that has just failed.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund screwdriver-node-circuitbreaker@3.0.0 >/dev/null 2>&1
cat >call.js <<'JS'
const circuitBreaker = require('screwdriver-node-circuitbreaker');

const callbacks = [];
const breaker = circuitBreaker((callback) => callbacks.push(callback), { maxFailures: 2, resetTimeout: 60_000 });
const show = (when) => console.log(`${when}: ${breaker.isOpen() ? 'open' : 'closed'}`);
for (let call = 0; call < 3; call += 1) breaker().then(() => {}, () => {});
callbacks[1](new Error('unavailable'));
callbacks[2](new Error('unavailable'));
show('after two failures');
callbacks[0](undefined, 'answer');
show('after the late answer');
process.exit();
JS
node call.js | tee seen
diff seen - <<'OUT'
after two failures: open
after the late answer: closed
OUT
