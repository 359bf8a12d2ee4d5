#!/usr/bin/env bash
# One object of settings with three retries, used for two requests by phin-retry 2.0.0, whose default is one
# retry. A local server answers each with 503 and counts.
# Guess: four requests for each use.
# Seen:  the package deletes the field retry from the object of its caller. The second use has the default.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund phin-retry@2.0.0 >/dev/null 2>&1
cat >run.js <<'JS'
const http = require('node:http');
const phin = require('phin-retry');

let requests = 0;
const server = http.createServer((request, response) => {
  requests += 1;
  response.statusCode = 503;
  response.end();
});
server.listen(0, '127.0.0.1', async () => {
  const settings = { url: `http://127.0.0.1:${server.address().port}`, retry: 3, delay: 1 };
  for (const use of ['first', 'second']) {
    requests = 0;
    await phin.get(settings).catch(() => undefined);
    console.log(`${use} use: ${requests} requests`);
  }
  process.exit(0);
});
JS
node run.js | tee seen
diff seen - <<'OUT'
first use: 4 requests
second use: 2 requests
OUT
