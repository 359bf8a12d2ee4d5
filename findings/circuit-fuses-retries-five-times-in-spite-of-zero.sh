#!/usr/bin/env bash
# A call that always fails, through circuit-fuses 6.0.1 with `retry: { retries: 0 }`, and with `retries: 1`. The
# waits between the calls are set to one millisecond, and the circuit breaker opens after 100 failures.
# Guess: one call with 0 retries, and two calls with 1 retry.
# Seen:  six calls with 0 retries, and two with 1 retry. The package takes zero for a missing setting and uses
#        its default, so a call that must not run twice runs six times.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund circuit-fuses@6.0.1 >/dev/null 2>&1
cat >retry.js <<'JS'
const { breaker: Breaker } = require('circuit-fuses');
async function countCalls(retries) {
  let calls = 0;
  const fail = (callback) => {
    calls += 1;
    callback(new Error('refused'));
  };
  const settings = { retry: { retries, minTimeout: 1, maxTimeout: 1 }, breaker: { maxFailures: 100 } };
  await new Breaker(fail, settings).runCommand().catch(() => undefined);
  return calls;
}
(async () => {
  for (const retries of [0, 1]) process.stderr.write(`retries: ${retries}: ${await countCalls(retries)} calls\n`);
  process.exit(0);
})();
JS
node retry.js 2>&1 >/dev/null | grep '^retries' | tee seen
diff seen - <<'OUT'
retries: 0: 6 calls
retries: 1: 2 calls
OUT
