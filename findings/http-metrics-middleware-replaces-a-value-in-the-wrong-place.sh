#!/usr/bin/env bash
# Requests to two routes of Express 4.21.2, counted by http-metrics-middleware 1.2.0 with the option `includePath`, which replaces the
# values of the parameters by their names.
# Guess: two paths, `/api/v1/orders/#id` and `/deployments/#name`.
# Seen:  the first place of the path with the text of the value is replaced, also within another word. Order 1 is found in `v1`, and the
#        Deployment `deploy` in `/deployments`, so each has a path of its own. A sum over the path of the route leaves them out.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund http-metrics-middleware@1.2.0 express@4.21.2 >/dev/null 2>&1
cat >count.js <<'JS'
const express = require('express');
const MetricsMiddleware = require('http-metrics-middleware');

const app = express();
app.use(new MetricsMiddleware({ includePath: true }).initRoutes());
for (const route of ['/api/v1/orders/:id', '/deployments/:name']) app.get(route, (_, response) => response.send('done'));
const server = app.listen(0, '127.0.0.1', async () => {
  const read = async (path) => (await fetch(`http://127.0.0.1:${server.address().port}${path}`)).text();
  for (const path of ['/api/v1/orders/1', '/api/v1/orders/2', '/deployments/deploy', '/deployments/web']) {
    const counts = async () => (await read('/metrics')).match(/^http_request_duration_seconds_count.*path="[^"]*"/gm) ?? [];
    const before = await counts();
    await read(path);
    const [series] = (await counts()).filter((line) => !before.includes(line));
    console.log(`${path}: ${/path="(.*)"/.exec(series)[1]}`);
  }
  process.exit();
});
JS
node --no-warnings count.js | tee seen
diff seen - <<'OUT'
/api/v1/orders/1: /api/v#id/orders/#val
/api/v1/orders/2: /api/v1/orders/#id
/deployments/deploy: /#namements/deploy
/deployments/web: /deployments/#name
OUT
