#!/usr/bin/env bash
# A process with two hooks for its shutdown by @cloudnative/health 2.1.2 receives SIGTERM. One hook never
# ends, the other one ends at once. The description states that STOPPING is reported while hooks run.
# Guess: STOPPING in each order of the two hooks.
# Seen:  the last hook decides: where it has ended, STOPPED is reported while the first one still runs.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @cloudnative/health@2.1.2 >/dev/null 2>&1
cat >run.js <<'JS'
const { HealthChecker, ShutdownCheck } = require('@cloudnative/health');
const drain = () => new ShutdownCheck('drain', () => new Promise(() => undefined));
const flush = () => new ShutdownCheck('flush', async () => undefined);
const checkers = [[flush(), drain()], [drain(), flush()]].map((hooks) => {
  const health = new HealthChecker();
  for (const hook of hooks) health.registerShutdownCheck(hook);
  return health;
});
process.on('SIGTERM', async () => {
  for (const health of checkers) {
    await health.getStatus();
    const { status, checks } = await health.getStatus();
    console.log(`${checks.map(({ name, state }) => `${name} ${state}`).join(', ')}: ${status}`);
  }
  process.exit(0);
});
setInterval(() => undefined, 1_000);
process.kill(process.pid, 'SIGTERM');
JS
node run.js | tee seen
diff seen - <<'OUT'
flush STOPPED, drain STOPPING: STOPPING
drain STOPPING, flush STOPPED: STOPPED
OUT
