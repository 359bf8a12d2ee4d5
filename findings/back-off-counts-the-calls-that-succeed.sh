#!/usr/bin/env bash
# One instance of back-off 4.3.0 with `times: 3`, the "number of times method should be called", used for four calls of a function that always
# succeeds. A new instance for each call serves as the comparison.
# Guess: four results in both cases.
# Seen:  each call of the shared instance takes one of its three attempts, also when it succeeds. The fourth call fails with an error about a
#        negative number, without a call of the function, and so does each later one.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund back-off@4.3.0 >/dev/null 2>&1
cat >call.js <<'JS'
const BackOff = require('back-off');

async function run(name, next) {
  const results = [];
  for (let call = 1; call <= 4; call += 1) results.push(await next().execute(async () => 'ready').catch((error) => error.message));
  console.log(`${name}: ${results.join(', ')}`);
}
const shared = new BackOff({ times: 3 });
run('shared', () => shared).then(() => run('new', () => new BackOff({ times: 3 })));
JS
node call.js | tee seen
diff seen - <<'OUT'
shared: ready, ready, ready, Negative -1 Times Remaining
new: ready, ready, ready, ready
OUT
