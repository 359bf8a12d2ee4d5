#!/usr/bin/env bash
# The health of koa-actuator 0.6.0 in koa 2.16.1 with one check that returns `DOWN`, and with one that returns
# `OUT_OF_SERVICE`, the second failing status of the Spring actuator, which the package follows. The description
# states that the `status` of a check counts.
# Guess: status 503 in both cases.
# Seen:  `OUT_OF_SERVICE` answers `UP` with status 200. The package counts the word `DOWN` only.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund koa-actuator@0.6.0 koa@2.16.1 >/dev/null 2>&1
cat >status.js <<'JS'
const { once } = require('node:events');
const Koa = require('koa');
const actuator = require('koa-actuator');
(async () => {
  for (const status of ['DOWN', 'OUT_OF_SERVICE']) {
    const app = new Koa();
    app.use(actuator({ queue: async () => ({ status }) }));
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const answer = await fetch(`http://127.0.0.1:${server.address().port}/actuator/health`);
    console.log(`${status}: ${answer.status} ${(await answer.json()).status}`);
  }
  process.exit(0);
})();
JS
node status.js | tee seen
diff seen - <<'OUT'
DOWN: 503 DOWN
OUT_OF_SERVICE: 200 UP
OUT
