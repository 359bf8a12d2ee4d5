#!/usr/bin/env bash
# Writes of kubernetesjs 0.7.4, whose typed methods take the parameters of the Kubernetes API: a dry run, and a deletion of the pods
# of one application by label.
# Guess: `dryRun=All` and `labelSelector=app=web` stand in the URL, as the selector of a list does.
# Seen:  only a GET has a query. The dry run is a real deletion, and the deletion by label deletes every pod of the namespace,
#        without an error. Nothing in the types or the answer tells the two apart from what was asked.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund kubernetesjs@0.7.4 >/dev/null 2>&1
cat >write.js <<'EOF'
const { once } = require('node:events');
const { createServer } = require('node:http');
const { KubernetesClient } = require('kubernetesjs');

async function main() {
  const server = createServer((request, response) => {
    console.log(request.method, request.url);
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new KubernetesClient({ restEndpoint: `http://127.0.0.1:${server.address().port}` });
  const path = { namespace: 'shop' };
  await client.listCoreV1NamespacedPod({ path, query: { labelSelector: 'app=web' } });
  await client.deleteCoreV1CollectionNamespacedPod({ path, query: { labelSelector: 'app=web' } });
  const deployment = { path: { ...path, name: 'web' }, query: { dryRun: 'All' } };
  await client.deleteAppsV1NamespacedDeployment(deployment);
  process.exit();
}
main();
EOF
node write.js | tee seen
diff seen - <<'EOF'
GET /api/v1/namespaces/shop/pods?labelSelector=app%3Dweb
DELETE /api/v1/namespaces/shop/pods
DELETE /apis/apps/v1/namespaces/shop/deployments/web
EOF
