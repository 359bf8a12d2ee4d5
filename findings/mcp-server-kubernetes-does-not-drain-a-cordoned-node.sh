#!/usr/bin/env bash
# Maintenance of a node by the tool `node_management` of mcp-server-kubernetes 4.1.7: first `cordon`, then `drain` with its
# confirmation. A stand-in for kubectl keeps the state of the node.
# Guess: the pods are evicted. A runbook cordons first to see that the cluster has room, and kubectl drains a cordoned node.
# Seen:  `kubectl drain` never runs. "Drain operation may not be necessary" returns as a success, so the assistant reports
#        that the node is ready for maintenance while all its pods run there. A drain that failed halfway cannot be repeated
#        either, because it has left the node cordoned.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund mcp-server-kubernetes@4.1.7 @modelcontextprotocol/sdk@1.26.0 >/dev/null 2>&1
cat >config <<'EOF'
{"apiVersion":"v1","kind":"Config","current-context":"c","clusters":[{"name":"c","cluster":{"server":"http://127.0.0.1:1"}}],"users":[{"name":"c","user":{}}],"contexts":[{"name":"c","context":{"cluster":"c","user":"c"}}]}
EOF
cat >kubectl <<'EOF'
#!/bin/sh
echo "kubectl $1" >>calls
case $1 in
get) printf '{"metadata":{"name":"node-1"},"spec":{"unschedulable":%s}}' "$(test -e cordoned && echo true || echo false)" ;;
*) touch cordoned ;;
esac
EOF
chmod +x kubectl
cat >maintain.mjs <<'EOF'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
const client = new Client({ name: 'assistant', version: '1.0.0' });
const env = { PATH: `${process.cwd()}:${process.env.PATH}`, KUBECONFIG: `${process.cwd()}/config` };
const args = ['node_modules/mcp-server-kubernetes/dist/index.js'];
await client.connect(new StdioClientTransport({ command: 'node', args, env, stderr: 'ignore' }));
for (const operation of ['cordon', 'drain']) {
  const request = { operation, nodeName: 'node-1', confirmDrain: operation === 'drain' };
  const { isError = false, content } = await client.callTool({ name: 'node_management', arguments: request });
  console.log(`${operation}, error ${isError}: ${content[0].text}`);
}
await client.close();
EOF
(node maintain.mjs && sort -u calls) | tee seen
diff seen - <<'EOF'
cordon, error false: Successfully cordoned node 'node-1'. The node is now unschedulable.
drain, error false: Node 'node-1' is already cordoned (unschedulable). Drain operation may not be necessary.
kubectl cordon
kubectl get
EOF
