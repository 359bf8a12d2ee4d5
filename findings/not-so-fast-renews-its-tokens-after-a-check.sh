#!/usr/bin/env bash
# One call in ten seconds with @kidkarolis/not-so-fast 1.0.1, on a clock of the test runner of Node.js. In the second
# case a question for a token comes nine seconds before the call.
# Guess: the next call is refused for ten seconds after the first one in both cases.
# Seen:  after a question the next call is allowed two seconds after the first one. The question starts the ten
#        seconds without a record of it, and their end deletes the call.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @kidkarolis/not-so-fast@1.0.1 >/dev/null 2>&1
cat >limit.js <<'JS'
const { mock } = require('node:test');
const RateLimiter = require('@kidkarolis/not-so-fast');
mock.timers.enable({ apis: ['setTimeout'] });
for (const asks of [false, true]) {
  const limiter = new RateLimiter({ threshold: 1, ttl: 10 });
  if (asks) limiter.hasTokenSync('web');
  mock.timers.tick(9000);
  const first = limiter.consumeSync('web');
  mock.timers.tick(2000);
  console.log(`question ${asks}: first ${first}, two seconds later ${limiter.consumeSync('web')}`);
}
JS
node --no-warnings limit.js | tee seen
diff seen - <<'OUT'
question false: first true, two seconds later false
question true: first true, two seconds later true
OUT
