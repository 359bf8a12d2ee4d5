#!/usr/bin/env bash
# Two strategies from node-redis-retry-strategy 2.1.1: one for a queue that must connect again, after 200 ms, and one for a cache that must
# not, with no attempts. Each is asked after its connection was lost for the first time.
# Guess: 200 for the queue, and no further attempt for the cache.
# Seen:  the settings are kept by the module, so those of the last strategy hold for all. The queue never connects again after the first loss
#        of its connection. Alone, its strategy returns 200.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund node-redis-retry-strategy@2.1.1 >/dev/null 2>&1
cat >retry.js <<'JS'
const createStrategy = require('node-redis-retry-strategy');
const lost = { attempt: 1, error: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) };
const queue = createStrategy({ number_of_retry_attempts: 5, delay_of_retry_attempts: 200 });
console.log('the queue alone:', queue(lost));
const cache = createStrategy({ number_of_retry_attempts: 0 });
console.log('the queue beside the cache:', queue(lost));
console.log('the cache:', cache(lost));
JS
node retry.js | tee seen
diff seen - <<'OUT'
the queue alone: 200
the queue beside the cache: undefined
the cache: undefined
OUT
