#!/usr/bin/env bash
# Pods of an informer of @kubernetes/client-node 2.0.1 (`makeInformer`, typed as V1Pod): one that its list contained, and one whose
# event came by its watch. A stand-in for the API server answers.
# Guess: both are V1Pods as the type says, so the time of creation is a Date in both.
# Seen:  the listed pod has Dates; the watched one is plain JSON with strings, although the compiler believes otherwise. Code
#        that was right at the start (`pod.metadata.creationTimestamp.getTime()`) fails at the first change, and an order
#        by `status.startTime` compares a number with NaN.
set -euo pipefail
case "$(node --version)" in v20.*) echo "client-node 2.0.1 needs Node 22, and node is $(node --version)."; exit 0 ;; esac
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @kubernetes/client-node@2.0.1 >/dev/null 2>&1
cat >pods.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';
const pod = (name, resourceVersion) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop', resourceVersion, creationTimestamp: '2026-01-01T00:00:00Z' },
  status: { startTime: '2026-01-01T00:00:00Z' },
});
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.url.includes('watch=true')) response.write(`${JSON.stringify({ type: 'ADDED', object: pod('watched', '2') })}\n`);
  else response.end(JSON.stringify({ metadata: { resourceVersion: '1' }, items: [pod('listed', '1')] }));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const config = new KubeConfig();
config.loadFromClusterAndUser({ name: 'test', server: `http://127.0.0.1:${server.address().port}`, skipTLSVerify: true }, { name: 'bot' });
const core = config.makeApiClient(CoreV1Api);
const informer = makeInformer(config, '/api/v1/namespaces/shop/pods', () => core.listNamespacedPod({ namespace: 'shop' }));
informer.on('add', ({ constructor, metadata, status }) => {
  const types = [metadata.creationTimestamp, status.startTime].map((time) => time.constructor.name);
  console.log(`${metadata.name}: ${constructor.name}, ${types.join(', ')}`);
  if (metadata.name === 'watched') process.exit();
});
await informer.start();
JS
node pods.mjs | tee seen
diff seen - <<'OUT'
listed: V1Pod, Date, Date
watched: Object, String, String
OUT
