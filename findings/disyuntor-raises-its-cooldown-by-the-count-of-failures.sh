#!/usr/bin/env bash
# A circuit breaker of disyuntor 3.5.0, described as one with exponential backoff, whose protected call always
# fails. Its clock is moved behind each cooldown.
# Guess: each cooldown is the same multiple of the one before, whatever the number of failures that opens it.
# Seen:  the multiple is the count of failures plus one, so it grows with each try, and it depends on
#        `maxFailures`: a breaker that tolerates 20 failures waits 21 times as long after its first try.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund disyuntor@3.5.0 >/dev/null 2>&1
cat >cooldowns.js <<'JS'
const { Disyuntor } = require('disyuntor');
const measure = async (maxFailures) => {
  const cooldowns = [];
  const onTrip = (_error, _failures, cooldown) => cooldowns.push(cooldown);
  const breaker = new Disyuntor({ name: 'web', maxFailures, cooldown: 1_000, maxCooldown: '365d', onTrip });
  while (cooldowns.length < 4) {
    await breaker.protect(() => Promise.reject(new Error('unavailable'))).catch(() => undefined);
    if (cooldowns.length > 0) breaker.lastFailure -= breaker.currentCooldown;
  }
  console.log(`maxFailures ${maxFailures}: ${cooldowns.join(', ')}`);
};
measure(1)
  .then(() => measure(5))
  .then(() => measure(20));
JS
node cooldowns.js | tee seen
diff seen - <<'OUT'
maxFailures 1: 1000, 2000, 6000, 24000
maxFailures 5: 1000, 6000, 42000, 336000
maxFailures 20: 1000, 21000, 462000, 10626000
OUT
