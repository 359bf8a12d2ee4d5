#!/usr/bin/env bash
# Two uses of retryAllRejectedPromises of promises-to-retry 1.5.0 with one object of settings, which permits
# two repetitions. Each use has one call that fails.
# Guess: three calls in each use.
# Seen:  the package counts down in the object of its caller. The second use is not repeated at all.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund promises-to-retry@1.5.0 >/dev/null 2>&1
cat >run.js <<'JS'
const { retryAllRejectedPromises } = require('promises-to-retry');
const settings = { maxAttempts: 2, delay: 1 };
const use = async (name) => {
  let calls = 0;
  await retryAllRejectedPromises([async () => { calls += 1; throw new Error('late'); }], settings);
  console.log(`${name} use: ${calls} calls; settings: ${JSON.stringify(settings)}`);
};
use('first').then(() => use('second'));
JS
node run.js | tee seen
diff seen - <<'OUT'
first use: 3 calls; settings: {"maxAttempts":0,"delay":1}
second use: 1 calls; settings: {"maxAttempts":0,"delay":1}
OUT
