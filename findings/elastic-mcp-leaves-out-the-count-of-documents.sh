#!/usr/bin/env bash
# An assistant lists indices by the tool `list_indices` of @elastic/mcp-server-elasticsearch 0.3.1. A local
# server answers in place of Elasticsearch, with the field docs.count of its documentation.
# Guess: the count of documents of each index.
# Seen:  no count is in the answer: the package reads the field docsCount, which Elasticsearch does not
#        send.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund \
  @elastic/mcp-server-elasticsearch@0.3.1 @modelcontextprotocol/sdk@1.32.2 >/dev/null 2>&1
cat >run.mjs <<'JS'
import http from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
const index = { health: 'green', status: 'open', index: 'logs-000001', 'docs.count': '42', 'store.size': '1mb' };
const answer = [index];
const elastic = http.createServer((request, response) => {
  response.setHeader('x-elastic-product', 'Elasticsearch');
  response.setHeader('content-type', 'application/vnd.elasticsearch+json;compatible-with=9');
  response.end(JSON.stringify(answer));
});
await new Promise((resolve) => elastic.listen(0, '127.0.0.1', resolve));
const env = { ...process.env, ES_URL: `http://127.0.0.1:${elastic.address().port}`, OTEL_SDK_DISABLED: 'true' };
const client = new Client({ name: 'model', version: '1.0.0' });
const args = ['node_modules/@elastic/mcp-server-elasticsearch/dist/index.js'];
await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
const { content } = await client.callTool({ name: 'list_indices', arguments: { indexPattern: '*' } });
for (const { text } of content) console.log(text.replaceAll(/\s+/g, ' '));
await client.close();
elastic.close();
JS
node run.mjs | tee seen
diff seen - <<'OUT'
Found 1 indices
[ { "index": "logs-000001", "health": "green", "status": "open" } ]
OUT
