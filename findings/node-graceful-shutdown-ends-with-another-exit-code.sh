#!/usr/bin/env bash
# A handler of node-graceful-shutdown 1.1.5 that fails, and SIGTERM. The description states that the process
# ends with exit code 42759.
# Guess: the container runtime reports 42759.
# Seen:  7. An exit code has eight bits, so Kubernetes shows another number than the one that the description
#        explains, and a rule of a Job (`podFailurePolicy`) for the documented number does not match.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund node-graceful-shutdown@1.1.5 >/dev/null 2>&1
cat >stop.js <<'JS'
const { onShutdown } = require('node-graceful-shutdown');
onShutdown('server', async () => {
  throw new Error('refused');
});
setTimeout(() => undefined, 10_000);
process.kill(process.pid, 'SIGTERM');
JS
(node stop.js && code=0 || code=$?; echo "exit code $code") | tee seen
diff seen - <<'OUT'
exit code 7
OUT
