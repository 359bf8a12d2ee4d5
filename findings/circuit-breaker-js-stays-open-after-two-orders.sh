#!/usr/bin/env bash
# A closed circuit breaker of circuit-breaker-js 0.0.1. One run of a job calls `forceOpen` once and then
# `unforce`, another run calls `forceOpen` twice and then `unforce`. By the description, `unforce` returns to
# the last state that was not forced.
# Guess: commands run after `unforce` in both cases.
# Seen:  after two calls of `forceOpen` the circuit breaker stays open. The second call stores the forced state
#        as the state to return to, so two people who open it at the same time block the dependency when both
#        are done.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund circuit-breaker-js@0.0.1 >/dev/null 2>&1
cat >force.js <<'JS'
const CircuitBreaker = require('circuit-breaker-js');
globalThis.setInterval = () => undefined;
for (const orders of [1, 2]) {
  const breaker = new CircuitBreaker();
  for (let order = 0; order < orders; order += 1) breaker.forceOpen();
  breaker.unforce();
  console.log(`forceOpen ${orders}x, unforce: open: ${breaker.isOpen()}`);
}
JS
node force.js | tee seen
diff seen - <<'OUT'
forceOpen 1x, unforce: open: false
forceOpen 2x, unforce: open: true
OUT
