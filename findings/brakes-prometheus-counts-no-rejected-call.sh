#!/usr/bin/env bash
# A circuit breaker of brakes 3.1.0 that opens after failures and then rejects three calls, with the metrics of brakes-prometheus 0.2.4,
# whose README lists `breaker_reject_total`, 'Resolver circuit breaker reject count'.
# Guess: `breaker_reject_total` 3.
# Seen:  the counter follows the event `healthCheckFailed`, which a breaker without a check of its own never emits, so the rejected calls are
#        in no counter but that of all calls. The graph of rejections stays empty during an outage.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund brakes@3.1.0 brakes-prometheus@0.2.4 prom-client@10.2.3 >/dev/null 2>&1
cat >break.js <<'JS'
const { once } = require('node:events');
const Brakes = require('brakes');
const countEvents = require('brakes-prometheus');
const { register } = require('prom-client');

async function run() {
  const limits = { waitThreshold: 1, threshold: 0.9, bucketSpan: 20, bucketNum: 50, circuitDuration: 60_000 };
  const breaker = new Brakes(() => Promise.reject(new Error('refused')), { name: 'cluster', group: 'web', ...limits });
  countEvents(breaker);
  const opened = once(breaker, 'circuitOpen');
  for (let call = 1; call <= 2; call += 1) await breaker.exec().catch(() => {});
  await opened;
  let rejected = 0;
  for (let call = 1; call <= 3; call += 1) await breaker.exec().catch((error) => (rejected += error.constructor.name === 'CircuitBrokenError'));
  console.log(`rejected calls: ${rejected}`);
  for (const name of ['execute', 'failure', 'reject']) {
    const { values } = register.getSingleMetric(`breaker_${name}_total`).get();
    console.log(`breaker_${name}_total: ${values.map(({ value }) => value).join(', ') || 'no value'}`);
  }
  process.exit();
}
run();
JS
node break.js | tee seen
diff seen - <<'OUT'
rejected calls: 3
breaker_execute_total: 5
breaker_failure_total: 2
breaker_reject_total: no value
OUT
