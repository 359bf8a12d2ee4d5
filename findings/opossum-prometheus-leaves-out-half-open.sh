#!/usr/bin/env bash
# A circuit breaker of opossum 9.0.0 that opens, lets one attempt through, and closes again, with opossum-prometheus 0.3.0, whose README
# promises a counter for each name of an event.
# Guess: each event that the breaker emits is counted.
# Seen:  only the events that something else listens to are counted. Opossum itself has no listener for `halfOpen`, so the attempts
#        after an outage are missing: a breaker that opens again and again looks like one that never tries.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund opossum@9.0.0 opossum-prometheus@0.3.0 prom-client@15.1.3 >/dev/null 2>&1
cat >break.js <<'JS'
const { once } = require('node:events');
const CircuitBreaker = require('opossum');
const PrometheusMetrics = require('opossum-prometheus');
const { Registry } = require('prom-client');

async function run() {
  let isHealthy = false;
  const call = async () => {
    if (!isHealthy) throw new Error('refused');
  };
  const breaker = new CircuitBreaker(call, { name: 'cluster', resetTimeout: 20 });
  const emitted = new Set();
  const emit = breaker.emit.bind(breaker);
  breaker.emit = (name, ...values) => {
    emitted.add(name);
    return emit(name, ...values);
  };
  const registry = new Registry();
  new PrometheusMetrics({ circuits: breaker, registry });
  await breaker.fire().catch(() => {});
  isHealthy = true;
  while (!breaker.halfOpen) await new Promise((resolve) => setTimeout(resolve, 5));
  await breaker.fire();
  const counted = [...(await registry.metrics()).matchAll(/^circuit\{.*event="(\w+)"/gm)].map(([, name]) => name);
  console.log('emitted:', [...emitted].sort().join(', '));
  console.log('counted:', counted.sort().join(', '));
  process.exit();
}
run();
JS
node break.js | tee seen
diff seen - <<'OUT'
emitted: close, failure, fire, halfOpen, open, success
counted: close, failure, fire, open, success
OUT
