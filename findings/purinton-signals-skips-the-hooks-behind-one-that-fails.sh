#!/usr/bin/env bash
# A process with three shutdown hooks of @purinton/signals 1.0.15 receives SIGTERM, and the first hook fails.
# The description says that all hooks are run.
# Guess: the other two hooks run, and the exit code states the failure.
# Seen:  neither of them runs, and the process ends with code 0. Without the failure each hook runs.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @purinton/signals@1.0.15 >/dev/null 2>&1
cat >stop.js <<'JS'
const { spawnSync } = require('node:child_process');
const code = `
const { registerSignals } = require('@purinton/signals');
const log = { debug() {}, warn() {}, error() {} };
const add = (name, fails) => registerSignals({ log, shutdownHook: async () => {
  if (fails) throw new Error(name);
  console.log('ran ' + name);
} });
add('queue', process.argv[1] === 'fails');
add('database', false);
add('metrics', false);
setInterval(() => undefined, 1000);
process.kill(process.pid, 'SIGTERM');
`;
for (const first of ['works', 'fails']) {
  const { stdout, status } = spawnSync(process.execPath, ['-e', code, first], { encoding: 'utf8', timeout: 20_000 });
  console.log(`first hook ${first}: ${stdout.trim().split('\n').join(', ')}; exit code ${status}`);
}
JS
node stop.js | tee seen
diff seen - <<'OUT'
first hook works: ran queue, ran database, ran metrics; exit code 0
first hook fails: ; exit code 0
OUT
