#!/usr/bin/env bash
# A check of Redis that fails, run by @dts-stn/health-checks 2.0.0 with the option `includeComponents`: first with the name of the check, then with
# a misspelt name.
# Guess: unhealthy, and an error or an unhealthy result for the name that no check has.
# Seen:  the misspelt name selects no check, and a result without checks is healthy. A probe with a wrong name passes for ever.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @dts-stn/health-checks@2.0.0 >/dev/null 2>&1
cat >check.js <<'JS'
const { execute, getHttpStatusCode } = require('@dts-stn/health-checks');
const checks = [{ name: 'redis', check: () => Promise.reject(new Error('unavailable')) }];

async function run() {
  for (const name of ['redis', 'redsi']) {
    const { status } = await execute(checks, { includeComponents: [name] });
    console.log(`${name}: ${status}, ${getHttpStatusCode(status)}`);
  }
  process.exit();
}
run();
JS
timeout 60 node check.js | tee seen
diff seen - <<'OUT'
redis: UNHEALTHY, 503
redsi: HEALTHY, 200
OUT
