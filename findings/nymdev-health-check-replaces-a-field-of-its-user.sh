#!/usr/bin/env bash
# Two custom fields of @nymdev/health-check 0.1.3: `queue`, and `uptime`, which is also the name of a field of
# the package.
# Guess: both fields show the value of the program.
# Seen:  `uptime` shows the uptime of the process. The package copies its own fields over the custom ones, and
#        it changes the object that the program passed, so a check with one of these names never runs.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @nymdev/health-check@0.1.3 express@4.21.2 >/dev/null 2>&1
cat >fields.js <<'JS'
const express = require('express');
const healthCheck = require('@nymdev/health-check');
const stats = { queue: () => 'empty', uptime: () => 'since the last rollout' };
const app = express();
app.use(healthCheck({ stats }));
const server = app.listen(0, '127.0.0.1', async () => {
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/health-check`);
  const { queue, uptime } = await answer.json();
  console.log(`queue: ${queue}, uptime: ${typeof uptime === 'number' ? 'a number' : uptime}`);
  console.log(`fields of the program: ${Object.keys(stats).length}`);
  process.exit(0);
});
JS
node fields.js | tee seen
diff seen - <<'OUT'
queue: empty, uptime: a number
fields of the program: 10
OUT
