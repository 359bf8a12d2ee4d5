#!/usr/bin/env bash
# The list of Deployments and Jobs that the tool `kubectl_get` of mcp-server-kubernetes 4.1.7 gives an assistant. A stand-in
# for kubectl answers with the statuses that the controllers write: of no ready pod, `readyReplicas` is left out.
# Guess: `0/3 ready` for the Deployment that is down, as another shows `2/3 ready`, and a word about failure for the Job.
# Seen:  'Active' for both, without a number. The tool counts only where `readyReplicas` stands, so the list shows a partial
#        outage and hides a full one: an assistant that is asked what is broken names the wrong Deployment.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund mcp-server-kubernetes@4.1.7 @modelcontextprotocol/sdk@1.26.0 >/dev/null 2>&1
cat >config <<'EOF'
{"apiVersion":"v1","kind":"Config","current-context":"c","clusters":[{"name":"c","cluster":{"server":"http://127.0.0.1:1"}}],"users":[{"name":"c","user":{}}],"contexts":[{"name":"c","context":{"cluster":"c","user":"c"}}]}
EOF
cat >deployments <<'EOF'
{"kind":"List","items":[
{"kind":"Deployment","metadata":{"name":"degraded","namespace":"shop"},"spec":{"replicas":3},"status":{"replicas":3,"updatedReplicas":3,"readyReplicas":2,"availableReplicas":2,"unavailableReplicas":1,"conditions":[{"type":"Available","status":"True"}]}},
{"kind":"Deployment","metadata":{"name":"down","namespace":"shop"},"spec":{"replicas":3},"status":{"replicas":3,"updatedReplicas":3,"unavailableReplicas":3,"conditions":[{"type":"Available","status":"False"}]}}]}
EOF
cat >jobs <<'EOF'
{"kind":"List","items":[
{"kind":"Job","metadata":{"name":"done","namespace":"shop"},"spec":{},"status":{"succeeded":1,"conditions":[{"type":"Complete","status":"True"}]}},
{"kind":"Job","metadata":{"name":"failed","namespace":"shop"},"spec":{},"status":{"failed":7,"conditions":[{"type":"Failed","status":"True"}]}}]}
EOF
cat >kubectl <<'EOF'
#!/bin/sh
cat "$2"
EOF
chmod +x kubectl
cat >list.mjs <<'EOF'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
const client = new Client({ name: 'assistant', version: '1.0.0' });
const env = { PATH: `${process.cwd()}:${process.env.PATH}`, KUBECONFIG: `${process.cwd()}/config` };
const args = ['node_modules/mcp-server-kubernetes/dist/index.js'];
await client.connect(new StdioClientTransport({ command: 'node', args, env, stderr: 'ignore' }));
for (const resourceType of ['deployments', 'jobs']) {
  const { content } = await client.callTool({ name: 'kubectl_get', arguments: { resourceType, namespace: 'shop' } });
  for (const { name, status } of JSON.parse(content[0].text).items) console.log(`${resourceType} ${name}: ${status}`);
}
await client.close();
EOF
node list.mjs | tee seen
diff seen - <<'EOF'
deployments degraded: 2/3 ready
deployments down: Active
jobs done: Completed
jobs failed: Active
EOF
