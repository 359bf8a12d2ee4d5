#!/usr/bin/env bash
# A process with nexit 1.0.2 that receives SIGTERM, as at each rollout, and reports when the package shuts down
# and ends.
# Guess: exit code 0 after both steps.
# Seen:  exit code 1 after both steps. The package sets the code of a failure for each reason to end, so a
#        container that was stopped as planned reports an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund nexit@1.0.2 >/dev/null 2>&1
cat >stop.js <<'JS'
const { Nexit, NEXIT_EXIT, NEXIT_SHUTDOWN } = require('nexit');
const nexit = new Nexit({ shutdownDelay: 10, exitDelay: 10 });
const keepRunning = setTimeout(() => undefined, 10_000);
nexit.on(NEXIT_SHUTDOWN, () => console.log('shutdown'));
nexit.on(NEXIT_EXIT, () => {
  console.log('exit');
  clearTimeout(keepRunning);
});
process.kill(process.pid, 'SIGTERM');
JS
(node stop.js && code=0 || code=$?; echo "exit code $code") | tee seen
diff seen - <<'OUT'
shutdown
exit
exit code 1
OUT
