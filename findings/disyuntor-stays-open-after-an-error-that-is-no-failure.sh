#!/usr/bin/env bash
# A circuit breaker of disyuntor 3.5.0 whose option `trigger` states that a status of 404 is no failure. Two
# failures open it. After its cooldown the service answers again, with 404.
# Guess: the answer is no failure, so the breaker lets the next call pass.
# Seen:  the answer opens the breaker again, for three times the cooldown, though the service works.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund disyuntor@3.5.0 >/dev/null 2>&1
cat >trigger.js <<'JS'
const { Disyuntor } = require('disyuntor');
const trigger = (error) => error.status !== 404;
const breaker = new Disyuntor({ name: 'web', maxFailures: 2, cooldown: 500, maxCooldown: '1h', trigger });
const call = (status) =>
  breaker.protect(() => Promise.reject(Object.assign(new Error(`status ${status}`), { status }))).catch((error) => {
    console.log(`${error.message}: ${breaker.state}, cooldown ${breaker.currentCooldown} ms`);
  });
(async () => {
  await call(503);
  await call(503);
  await new Promise((resolve) => setTimeout(resolve, 510));
  console.log(`after the cooldown: ${breaker.state}`);
  await call(404);
})();
JS
node trigger.js | tee seen
diff seen - <<'OUT'
status 503: closed, cooldown 500 ms
status 503: open, cooldown 500 ms
after the cooldown: half open
status 404: open, cooldown 1500 ms
OUT
