#!/usr/bin/env bash
# A process with an asynchronous shutdown hook of @purinton/signals 1.0.15 ends by a signal, by process.exit,
# or because it has nothing more to do. The description says that all hooks run in each case, and its example
# is a database that needs 100 ms to close.
# Guess: the hook ends in each case, or the description excludes process.exit.
# Seen:  with process.exit the hook starts and never ends. Node.js does not wait in the event `exit`.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @purinton/signals@1.0.15 >/dev/null 2>&1
cat >stop.js <<'JS'
const { spawnSync } = require('node:child_process');
const code = `
const { registerSignals } = require('@purinton/signals');
const shutdownHook = async () => {
  console.log('starts to close');
  await new Promise((resolve) => setTimeout(resolve, 100));
  console.log('closed');
};
registerSignals({ log: { debug() {}, warn() {}, error() {} }, shutdownHook });
const end = process.argv[1];
if (end === 'signal') setInterval(() => process.kill(process.pid, 'SIGTERM'), 50);
if (end === 'process.exit') process.exit(1);
`;
for (const end of ['signal', 'nothing to do', 'process.exit']) {
  const { stdout } = spawnSync(process.execPath, ['-e', code, end], { encoding: 'utf8', timeout: 20_000 });
  console.log(`${end}: ${stdout.trim().split('\n').join(', ')}`);
}
JS
node stop.js | tee seen
diff seen - <<'OUT'
signal: starts to close, closed
nothing to do: starts to close, closed
process.exit: starts to close
OUT
