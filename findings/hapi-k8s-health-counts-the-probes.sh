#!/usr/bin/env bash
# Two readiness probes and one request to a server of @hapi/hapi 20.3.0 with hapi-k8s-health 1.1.1, whose option `monitorProbes`, "whether or
# not you want your probes to be monitored by metrics", is false by default.
# Guess: one request is counted, that of the clients.
# Seen:  the probes are counted as well. The plugin marks the routes of its probes with one name and looks for the mark under another, so
#        only its own route for metrics is left out. The probes of the kubelet lower the share of errors that an alert looks at.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund hapi-k8s-health@1.1.1 @hapi/hapi@20.3.0 @hapi/boom@9.1.4 prom-client@12.0.0 >/dev/null 2>&1
cat >serve.js <<'JS'
const Hapi = require('@hapi/hapi');
const { HealthPlugin } = require('hapi-k8s-health');

async function run() {
  const server = Hapi.server();
  await server.register({ plugin: HealthPlugin, options: { monitorProbes: false } });
  server.route({ method: 'GET', path: '/orders', handler: () => 'done' });
  for (const path of ['/readiness', '/readiness', '/orders', '/metrics']) await server.inject(path);
  const { payload } = await server.inject('/metrics');
  console.log(payload.match(/^http_request_count\{.*/gm).join('\n'));
  process.exit();
}
run();
JS
node serve.js | tee seen
diff seen - <<'OUT'
http_request_count{method="get",status_code="200",path="/readiness"} 2
http_request_count{method="get",status_code="200",path="/orders"} 1
OUT
