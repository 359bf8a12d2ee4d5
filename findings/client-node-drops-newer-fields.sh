#!/usr/bin/env bash
# A probe over TLS (`grpc.mode`, a field of Kubernetes 1.37) in a Deployment that @kubernetes/client-node 2.0.1, whose models are
# of an older version, reads, scales and replaces; then a patch of this field by its KubernetesObjectApi. A stand-in
# for the API server shows the requests.
# Guess: what the client does not know passes through as it is, because the objects are JSON.
# Seen:  the field is gone from what it reads, so `replace` deletes it: a change of replicas changes the pod template, and the new
#        pods are probed without TLS and never get ready. The patch is sent without the field and succeeds, so a repair
#        reports that it is done and has changed nothing.
set -euo pipefail
case "$(node --version)" in v20.*) echo "client-node 2.0.1 needs Node 22, and node is $(node --version)."; exit 0 ;; esac
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @kubernetes/client-node@2.0.1 >/dev/null 2>&1
cat >scale.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { AppsV1Api, KubeConfig, KubernetesObjectApi, PatchStrategy } from '@kubernetes/client-node';
const grpc = (mode) => ({ spec: { containers: [{ name: 'web', readinessProbe: { grpc: { port: 9000, mode } } }] } });
const kind = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' } };
const stored = { ...kind, spec: { replicas: 1, selector: {}, template: grpc('TLS') } };
const discovery = { groupVersion: 'apps/v1', resources: [{ name: 'deployments', kind: 'Deployment', namespaced: true, verbs: [] }] };
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (body) console.log(request.method, JSON.stringify(JSON.parse(body).spec));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(request.url === '/apis/apps/v1' ? discovery : stored));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const config = new KubeConfig();
config.loadFromClusterAndUser({ name: 'test', server: `http://127.0.0.1:${server.address().port}`, skipTLSVerify: true }, { name: 'bot' });
const apps = config.makeApiClient(AppsV1Api);
const body = await apps.readNamespacedDeployment({ name: 'web', namespace: 'shop' });
body.spec.replicas = 2;
await apps.replaceNamespacedDeployment({ name: 'web', namespace: 'shop', body });
const objects = KubernetesObjectApi.makeApiClient(config);
const change = { ...kind, spec: { template: grpc('TLS') } };
await objects.patch(change, undefined, undefined, undefined, undefined, PatchStrategy.StrategicMergePatch);
console.log('patched without an error');
server.close();
JS
node scale.mjs | tee seen
diff seen - <<'OUT'
PUT {"replicas":2,"selector":{},"template":{"spec":{"containers":[{"name":"web","readinessProbe":{"grpc":{"port":9000}}}]}}}
PATCH {"template":{"spec":{"containers":[{"name":"web","readinessProbe":{"grpc":{"port":9000}}}]}}}
patched without an error
OUT
