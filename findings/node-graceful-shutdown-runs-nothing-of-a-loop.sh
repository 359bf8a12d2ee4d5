#!/usr/bin/env bash
# Two handlers of node-graceful-shutdown 1.1.5 that wait for each other, and SIGTERM. The description states
# that a loop throws an error at once. A second process has one handler that waits for the other.
# Guess: an error for the loop, and both handlers for the second process.
# Seen:  no error, and the process with the loop ends with success without a handler. The package starts with
#        the handlers that no other waits for, and a loop has none.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund node-graceful-shutdown@1.1.5 >/dev/null 2>&1
cat >stop.js <<'JS'
const { onShutdown } = require('node-graceful-shutdown');
onShutdown('server', process.argv[2] === 'loop' ? ['queue'] : [], async () => console.log('server stopped'));
onShutdown('queue', ['server'], async () => console.log('queue stopped'));
process.on('exit', (code) => console.log(`exit code ${code}`));
setTimeout(() => undefined, 10_000);
process.kill(process.pid, 'SIGTERM');
JS
for kind in loop chain; do
  echo "$kind:"
  node stop.js $kind
done | tee seen
diff seen - <<'OUT'
loop:
exit code 0
chain:
server stopped
queue stopped
exit code 0
OUT
