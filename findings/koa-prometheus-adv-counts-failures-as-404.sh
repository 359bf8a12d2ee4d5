#!/usr/bin/env bash
# Three requests to a server of koa 2.16.4 whose metrics koa-prometheus-adv 1.0.1 takes: one succeeds, one fails because a dependency is
# away, and one is refused.
# Guess: one request each with the codes 200, 500 and 403, as the clients receive them.
# Seen:  the code is read before Koa turns the error into an answer, when it is still Koa's first value. Every thrown error and every thrown
#        refusal is counted as 404, so an alert on the share of codes from 500 on does not fire for them.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund koa@2.16.4 koa-prometheus-adv@1.0.1 >/dev/null 2>&1
cat >serve.js <<'JS'
const Koa = require('koa');
const { DefaultHTTPMetricsInjector } = require('koa-prometheus-adv');
const { Registry } = require('prom-client');

const registry = new Registry();
const app = new Koa();
app.silent = true;
app.use(DefaultHTTPMetricsInjector(registry));
app.use((context) => {
  if (context.path === '/failing') throw new Error('the database is away');
  if (context.path === '/refused') context.throw(403);
  context.body = 'done';
});
const server = app.listen(0, '127.0.0.1', async () => {
  for (const path of ['/working', '/failing', '/refused']) {
    const { status } = await fetch(`http://127.0.0.1:${server.address().port}${path}`);
    console.log(`${path}: ${status}`);
  }
  console.log((await registry.metrics()).match(/^http_request_total.*/gm).join('\n'));
  process.exit();
});
JS
node serve.js | tee seen
diff seen - <<'OUT'
/working: 200
/failing: 500
/refused: 403
http_request_total{code="200"} 1
http_request_total{code="404"} 2
OUT
