#!/usr/bin/env bash
# topNodes of @kubernetes/client-node 2.0.1 on a cluster where one pod requests `memory: 1.5Gi`.
# Guess: the quantity counts as 1,610,612,736 bytes; fractions with a binary suffix are valid quantities, and the API server
#        stores them as they were written.
# Seen:  the call fails for the whole cluster with `Cannot convert 1.5 to a BigInt`. Fractions of `cpu` work.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module","overrides":{"undici":"7.16.0"}}' >package.json
npm install --silent --no-audit --no-fund @kubernetes/client-node@2.0.1 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import { createServer } from 'node:http';
import { CoreV1Api, KubeConfig, topNodes } from '@kubernetes/client-node';

const node = { metadata: { name: 'n' }, status: { allocatable: { cpu: '4', memory: '16Gi' }, capacity: { cpu: '4', memory: '16Gi' } } };
const podWith = (requests) => ({ metadata: { name: 'p', namespace: 'a' }, spec: { nodeName: 'n', containers: [{ name: 'c', resources: { requests } }] }, status: { phase: 'Running' } });
let pod;
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  const items = request.url.includes('/pods') ? [pod] : [node];
  response.end(JSON.stringify({ apiVersion: 'v1', kind: 'List', metadata: {}, items }));
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const config = new KubeConfig();
config.loadFromClusterAndUser({ name: 'c', skipTLSVerify: true, server: `http://127.0.0.1:${server.address().port}` }, { name: 'u' });
for (const requests of [{ cpu: '0.5', memory: '1Gi' }, { cpu: '0.5', memory: '1.5Gi' }]) {
  pod = podWith(requests);
  try {
    const [{ Memory }] = await topNodes(config.makeApiClient(CoreV1Api));
    console.log(requests.memory, Memory.RequestTotal);
  } catch (error) {
    console.log(requests.memory, `${error.name}: ${error.message}`);
  }
}
server.close();
EOF
node read.mjs | tee seen
diff seen - <<'EOF'
1Gi 1073741824n
1.5Gi SyntaxError: Cannot convert 1.5 to a BigInt
EOF
