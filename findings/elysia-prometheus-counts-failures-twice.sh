#!/usr/bin/env bash
# Three requests to a server of Elysia 1.4.19 with elysia-prometheus 1.1.1, whose counter is the "total HTTP requests count": one that is
# answered, one whose handler throws an error, and one to a path that does not exist.
# Guess: three requests, one each with the status 200, 500 and 404.
# Seen:  five. A request that ends in an error is counted when the error is handled and again after the response. The status 500 appears
#        twice, and the missing path once with 404 and once with 200. The share of failures of an alert is wrong in both cases.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund elysia-prometheus@1.1.1 elysia@1.4.19 prom-client@15.1.3 >/dev/null 2>&1
cat >count.mjs <<'JS'
import { setTimeout } from 'node:timers/promises';
import { Elysia } from 'elysia';
import prometheus from 'elysia-prometheus';

const fail = () => {
  throw new Error('refused');
};
const app = new Elysia().use(prometheus()).get('/orders', () => 'done').get('/pay', fail);
const read = async (path) => (await app.handle(new Request(`http://localhost${path}`))).text();
for (const path of ['/orders', '/pay', '/missing']) {
  await read(path);
  await setTimeout(200);
}
console.log((await read('/metrics')).match(/^http_requests_total.*/gm).sort().join('\n'));
process.exit();
JS
node count.mjs | tee seen
diff seen - <<'OUT'
http_requests_total{method="GET",path="/missing",status="200"} 1
http_requests_total{method="GET",path="/missing",status="404"} 1
http_requests_total{method="GET",path="/orders",status="200"} 1
http_requests_total{method="GET",path="/pay",status="500"} 2
OUT
