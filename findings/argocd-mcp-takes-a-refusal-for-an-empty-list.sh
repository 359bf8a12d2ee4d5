#!/usr/bin/env bash
# Tools of argocd-mcp 0.9.0, called by an assistant whose token for Argo CD has expired: the server answers 401 to everything.
# Guess: every tool fails, and its result has `isError`.
# Seen:  no tool fails, because no status is checked. The list of applications is empty and complete, so the assistant
#        reports that there are none. A sync that was refused returns as a success with the refusal in its text.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund argocd-mcp@0.9.0 @modelcontextprotocol/sdk@1.32.2 >/dev/null 2>&1
cat >ask.mjs <<'EOF'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(401, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: 'token is expired', code: 16 }));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const client = new Client({ name: 'assistant', version: '1.0.0' });
const env = { ...process.env, ARGOCD_BASE_URL: `http://127.0.0.1:${server.address().port}`, ARGOCD_API_TOKEN: 'token' };
const args = ['node_modules/argocd-mcp/dist/index.js', 'stdio'];
await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
for (const [name, input] of [['list_applications', {}], ['sync_application', { applicationName: 'web' }]]) {
  const { isError, content } = await client.callTool({ name, arguments: input });
  console.log(`${name}: isError ${isError}, ${content[0].text}`);
}
await client.close();
server.close();
EOF
node ask.mjs | tee seen
diff seen - <<'EOF'
list_applications: isError false, {"items":[],"metadata":{"totalItems":0,"returnedItems":0,"hasMore":false}}
sync_application: isError false, {"error":"token is expired","code":16}
EOF
