#!/usr/bin/env bash
# A call that always fails, through async-await-retry 2.1.0 with three attempts: without `onAttemptFail`, and
# with an `onAttemptFail` that only logs, as in the example of the description, which catches the error of the
# call.
# Guess: three calls and an error in both cases.
# Seen:  with the function that logs, one call and no error: the result is `undefined`. The description states
#        that a callback without a result stops the retries. It does not state that the failure becomes a
#        success.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund async-await-retry@2.1.0 >/dev/null 2>&1
cat >log.js <<'JS'
const retry = require('async-await-retry');
async function report(name, settings) {
  let calls = 0;
  const refuse = async () => {
    calls += 1;
    throw new Error('refused');
  };
  const result = await retry(refuse, [], settings).then(
    (value) => `result ${value}`,
    (error) => `error ${error.message}`,
  );
  console.log(`${name}: ${calls} calls, ${result}`);
}
(async () => {
  await report('without a callback', { retriesMax: 3 });
  await report('with a log', {
    retriesMax: 3,
    onAttemptFail: ({ error }) => {
      console.log(`log: ${error.message}`);
    },
  });
})();
JS
node log.js | tee seen
diff seen - <<'OUT'
without a callback: 3 calls, error refused
log: refused
with a log: 1 calls, result undefined
OUT
