#!/usr/bin/env bash
# `Finalize` of kubernetes-fluent-client 3.11.6, the client of Pepr, which adds one finalizer to a Deployment.
# Guess: a patch of `metadata.finalizers`, or an apply that holds nothing else.
# Seen:  it reads the Deployment and applies it whole, forced and without its resourceVersion. From then on the client
#        owns the image and the replicas, so the next change that Git applies server-side ends in a conflict about a field that
#        nobody meant to touch. What an autoscaler or a rollback changed between the two requests is set back.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module","overrides":{"undici":"7.16.0"}}' >package.json
npm install --silent --no-audit --no-fund kubernetes-fluent-client@3.11.6 >/dev/null 2>&1
cat >finalize.mjs <<'EOF'
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { K8s, kind } from 'kubernetes-fluent-client';

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', resourceVersion: '7', finalizers: ['example.com/other'] },
  spec: { replicas: 3, template: { spec: { containers: [{ name: 'web', image: 'web:2' }] } } },
  status: { readyReplicas: 3 },
};
const server = createServer(async (request, response) => {
  let text = '';
  for await (const part of request) text += part;
  const { searchParams } = new URL(request.url, 'http://localhost');
  if (text) console.log(`${request.method} by ${searchParams.get('fieldManager')}, force ${searchParams.get('force')}: ${text}`);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(deployment));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const cluster = { server: `http://127.0.0.1:${server.address().port}`, 'insecure-skip-tls-verify': true };
const config = {
  'current-context': 'c',
  clusters: [{ name: 'c', cluster }],
  users: [{ name: 'c', user: {} }],
  contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
};
writeFileSync('config', JSON.stringify(config));
process.env.KUBECONFIG = 'config';
await K8s(kind.Deployment).InNamespace('shop').Finalize('add', 'example.com/cleanup', 'web');
process.exit();
EOF
node finalize.mjs | tee seen
diff seen - <<'EOF'
PATCH by pepr, force true: {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","finalizers":["example.com/other","example.com/cleanup"]},"spec":{"replicas":3,"template":{"spec":{"containers":[{"name":"web","image":"web:2"}]}}},"status":{"readyReplicas":3}}
EOF
