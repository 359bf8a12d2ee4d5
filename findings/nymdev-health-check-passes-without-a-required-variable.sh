#!/usr/bin/env bash
# The health check of @nymdev/health-check 0.1.3 with an environment variable that is required and not set, and
# with a required field whose function throws. The description states that missing fields return status 500.
# Guess: status 500 in both cases.
# Seen:  status 200 without the variable. The package checks only whether the function of a field fails, and the
#        function of a missing variable returns nothing.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @nymdev/health-check@0.1.3 express@4.21.2 >/dev/null 2>&1
cat >required.js <<'JS'
const express = require('express');
const healthCheck = require('@nymdev/health-check');
const refuse = () => {
  throw new Error('refused');
};
const app = express();
delete process.env.QUEUE_HOST;
app.use('/variable', healthCheck({ env: ['QUEUE_HOST'], required: ['QUEUE_HOST'] }));
app.use('/function', healthCheck({ stats: { queue: refuse }, required: ['queue'] }));
const server = app.listen(0, '127.0.0.1', async () => {
  for (const path of ['variable', 'function']) {
    const { status } = await fetch(`http://127.0.0.1:${server.address().port}/${path}/health-check`);
    console.log(`required ${path}: status ${status}`);
  }
  process.exit(0);
});
JS
node required.js | tee seen
diff seen - <<'OUT'
required variable: status 200
required function: status 500
OUT
