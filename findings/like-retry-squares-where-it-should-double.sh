#!/usr/bin/env bash
# The waits of like-retry 1.1.1 with a delay of one second, three retries, and the strategies `none`, `linear`
# and `exponential`. The script replaces the timer, so it records the waits and does not wait.
# Guess: 1, 1 and 1 s, then 1, 2 and 3 s, then 1, 2 and 4 s or 2, 4 and 8 s.
# Seen:  the first wait of `exponential` is 1000 s (16 minutes and 40 seconds), and the third 2 hours and 30
#        minutes. The package squares the milliseconds of the linear delay. Its example uses a delay of 20 ms,
#        for which the waits are short.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund like-retry@1.1.1 >/dev/null 2>&1
cat >waits.js <<'JS'
const retry = require('like-retry');
const waits = [];
globalThis.setTimeout = (resume, ms) => {
  waits.push(ms / 1000);
  queueMicrotask(resume);
};
(async () => {
  for (const strategy of ['none', 'linear', 'exponential']) {
    waits.length = 0;
    try {
      for await (const backoff of retry({ max: 3, delay: 1000, strategy })) await backoff(new Error('refused'));
    } catch {}
    console.log(`${strategy}: ${waits.join(', ')} s`);
  }
})();
JS
node waits.js | tee seen
diff seen - <<'OUT'
none: 1, 1, 1 s
linear: 1, 2, 3 s
exponential: 1000, 4000, 9000 s
OUT
