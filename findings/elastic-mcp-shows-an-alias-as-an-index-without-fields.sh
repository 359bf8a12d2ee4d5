#!/usr/bin/env bash
# An assistant asks for the fields of an index, of an alias and of a pattern by the tool `get_mappings` of
# @elastic/mcp-server-elasticsearch 0.3.1. A local server answers in place of Elasticsearch, which names the
# index in its answer, not the alias.
# Guess: the same fields three times.
# Seen:  the alias and the pattern have no fields and no error, as an empty index has none. Data streams are
#        named in this way too.
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
const answer = { 'logs-000001': { mappings: { properties: { message: { type: 'text' } } } } };
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
for (const index of ['logs-000001', 'logs', 'logs-*']) {
  const { content } = await client.callTool({ name: 'get_mappings', arguments: { index } });
  console.log(content[1].text.replaceAll(/\s+/g, ' '));
}
await client.close();
elastic.close();
JS
node run.mjs | tee seen
diff seen - <<'OUT'
Mappings for index logs-000001: { "properties": { "message": { "type": "text" } } }
Mappings for index logs: {}
Mappings for index logs-*: {}
OUT
