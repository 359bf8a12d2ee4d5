#!/usr/bin/env bash
# A client that asks six times for an object that is absent, through the HTTP transport of btrz-circuit-breaker 1.1.0. Its code counts answers
# over 500 as failures. The time limit of a call is 20 ms, and each answer comes at once.
# Guess: six answers of 404 are no failures and leave the circuit closed.
# Seen:  an answer from 400 to 500 is neither a success nor a failure for the circuit, so its time limit runs on and counts it as a
#        timeout. Absent objects open the circuit of a healthy service. Answers of 200 leave it closed.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund btrz-circuit-breaker@1.1.0 >/dev/null 2>&1
cat >ask.js <<'JS'
const { setTimeout: wait } = require('node:timers/promises');
const Breaker = require('btrz-circuit-breaker');

async function run() {
  for (const statusCode of [200, 404]) {
    let reason = 'closed';
    const breaker = new Breaker({ timeoutDuration: 20, onCircuitOpen: (counts) => (reason = `open after ${counts.errorCount} errors`) });
    const ask = breaker.wrapHttpTransport((_options, callback) => callback(null, { statusCode }, 'answer'));
    for (let request = 0; request < 6; request += 1) await ask('get', 'http://shop.example').catch(() => {});
    await wait(100);
    console.log(`${statusCode}: ${reason}`);
  }
  process.exit();
}
run();
JS
timeout 60 node ask.js | tee seen
diff seen - <<'OUT'
200: closed
404: open after 6 errors
OUT
