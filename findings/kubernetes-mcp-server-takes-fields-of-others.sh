#!/usr/bin/env bash
# A change of `replicas`, which Git or an autoscaler owns, by the tool `resources_create_or_update` of kubernetes-mcp-server 0.0.67.
# A stand-in for the API server shows the request.
# Guess: an apply that ends in a conflict, so that the assistant learns the owner, as from `kubectl apply --server-side`.
# Seen:  every write is an apply with `force=true`, which the tool neither says nor lets anybody choose. It takes the field from its
#        owner without a word. Git's next apply of that field then fails for the very deploy that should repair the incident,
#        until somebody forces it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund kubernetes-mcp-server@0.0.67 @modelcontextprotocol/sdk@1.32.2 >/dev/null 2>&1
cat >change.mjs <<'EOF'
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' }, spec: { replicas: 5 } };
const apps = { groupVersion: 'apps/v1', version: 'v1' };
const answers = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', groups: [{ name: 'apps', versions: [apps], preferredVersion: apps }] },
  '/api/v1': { kind: 'APIResourceList', groupVersion: 'v1', resources: [] },
  '/apis/apps/v1': {
    kind: 'APIResourceList',
    groupVersion: 'apps/v1',
    resources: [{ name: 'deployments', namespaced: true, kind: 'Deployment', verbs: ['get', 'patch'] }],
  },
  '/apis/apps/v1/namespaces/shop/deployments/web': deployment,
};
const server = createServer((request, response) => {
  if (request.method === 'PATCH') console.log(request.headers['content-type'], request.url);
  const answer = answers[request.url.split('?')[0]];
  response.statusCode = answer ? 200 : 404;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answer ?? { kind: 'Status', code: 404 }));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const config = {
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'c',
  clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${server.address().port}` } }],
  users: [{ name: 'c', user: {} }],
  contexts: [{ name: 'c', context: { cluster: 'c', user: 'c', namespace: 'shop' } }],
};
writeFileSync('config', JSON.stringify(config));
const client = new Client({ name: 'assistant', version: '1.0.0' });
const args = ['node_modules/kubernetes-mcp-server/bin/index.js', '--kubeconfig', `${process.cwd()}/config`];
await client.connect(new StdioClientTransport({ command: 'node', args, stderr: 'ignore' }));
const name = 'resources_create_or_update';
const { tools } = await client.listTools();
const { description, inputSchema } = tools.find((tool) => tool.name === name);
console.log('arguments:', Object.keys(inputSchema.properties).join(), 'says force:', /force/i.test(JSON.stringify([description, inputSchema])));
await client.callTool({ name, arguments: { resource: JSON.stringify(deployment) } });
await client.close();
process.exit();
EOF
node change.mjs | tee seen
diff seen - <<'EOF'
arguments: resource says force: false
application/apply-patch+yaml /apis/apps/v1/namespaces/shop/deployments/web?fieldManager=kubernetes-mcp-server&force=true
EOF
