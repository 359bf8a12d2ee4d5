#!/usr/bin/env bash
# Two requests to an application of express 4.21.2 with two routers, measured by lynx-express 0.2.0 with
# `timeByUrl`, which promises a timer for each template of a route.
# Guess: two names, with `pods` and with `nodes`.
# Seen:  one name, GET__name, for both. The package reads the path inside the router, so the slow route and the
#        fast one share a timer.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund lynx-express@0.2.0 express@4.21.2 >/dev/null 2>&1
cat >routes.js <<'JS'
const express = require('express');
const createMiddleware = require('lynx-express');
const names = [];
const client = { increment: (name) => names.push(name), timing: () => undefined };
const app = express();
app.use(createMiddleware(client)({ timeByUrl: true }));
for (const kind of ['pods', 'nodes']) {
  const router = express.Router();
  router.get('/:name', (_request, response) => response.end());
  app.use(`/api/${kind}`, router);
}
const server = app.listen(0, '127.0.0.1', async () => {
  for (const path of ['pods/web-1', 'nodes/node-1']) {
    names.length = 0;
    await fetch(`http://127.0.0.1:${server.address().port}/api/${path}`);
    console.log(`/api/${path}: ${names.find((name) => name.startsWith('requests'))}`);
  }
  process.exit(0);
});
JS
node routes.js | tee seen
diff seen - <<'OUT'
/api/pods/web-1: requests.GET__name
/api/nodes/node-1: requests.GET__name
OUT
