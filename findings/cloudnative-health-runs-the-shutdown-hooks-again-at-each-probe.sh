#!/usr/bin/env bash
# A process with one hook for its shutdown by @cloudnative/health 2.1.2 receives SIGTERM, and is probed
# three times after it. The description states that hooks are executed when the process receives SIGTERM.
# Guess: the hook runs once, and each probe reports its state.
# Seen:  each probe runs the hook again.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @cloudnative/health@2.1.2 >/dev/null 2>&1
cat >run.js <<'JS'
const { HealthChecker, ShutdownCheck } = require('@cloudnative/health');
const health = new HealthChecker();
let runs = 0;
health.registerShutdownCheck(new ShutdownCheck('drain', async () => { runs += 1; }));
process.on('SIGTERM', async () => {
  console.log(`after SIGTERM: ${runs} run`);
  for (const probe of [1, 2, 3]) {
    await health.getReadinessStatus();
    console.log(`after probe ${probe}: ${runs} runs`);
  }
  process.exit(0);
});
setInterval(() => undefined, 1_000);
process.kill(process.pid, 'SIGTERM');
JS
node run.js | tee seen
diff seen - <<'OUT'
after SIGTERM: 1 run
after probe 1: 2 runs
after probe 2: 3 runs
after probe 3: 4 runs
OUT
