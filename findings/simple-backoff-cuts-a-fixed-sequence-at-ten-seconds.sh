#!/usr/bin/env bash
# A sequence of waits of our own by FixedBackoff of simple-backoff 1.1.0. The description states that max is
# invalid for it, since the sequence is explicit, and it refuses max.
# Guess: the waits of the sequence.
# Seen:  the default of max, ten seconds, is used in spite of this. Longer waits are cut, and no option
#        changes it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund simple-backoff@1.1.0 >/dev/null 2>&1
cat >run.js <<'JS'
const { FixedBackoff } = require('simple-backoff');
const sequence = [1_000, 10_000, 30_000, 60_000];
const backoff = new FixedBackoff({ sequence });
console.log(`sequence: ${sequence}`);
console.log(`waits:    ${sequence.map(() => backoff.next())}`);
try {
  new FixedBackoff({ sequence, max: 60_000 });
} catch (error) {
  console.log(error.message);
}
JS
node run.js | tee seen
diff seen - <<'OUT'
sequence: 1000,10000,30000,60000
waits:    1000,10000,10000,10000
FixedBackoff: `max` is invalid for this strategy
OUT
