#!/usr/bin/env bash
# A query through prometheus-mcp 1.1.3 whose PROMETHEUS_URL has a path, as for Prometheus behind a prefix or for
# Mimir. A local server answers for each path and reports it.
# Guess: /prometheus/api/v1/query.
# Seen:  /api/v1/query. The server replaces the path of its address, so it asks another service.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund prometheus-mcp@1.1.3 @modelcontextprotocol/sdk@1.32.2 >/dev/null 2>&1
cat >ask.mjs <<'JS'
import { createServer } from 'node:http';
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
const prometheus = createServer((request, response) => {
  console.log(request.url.split('?')[0]);
  response.end(JSON.stringify({ status: 'success', data: { resultType: 'vector', result: [] } }));
});
await once(prometheus.listen(0, '127.0.0.1'), 'listening');
const env = { ...process.env, PROMETHEUS_URL: `http://127.0.0.1:${prometheus.address().port}/prometheus` };
const client = new Client({ name: 'model', version: '1.0.0' });
const args = ['node_modules/prometheus-mcp/dist/index.mjs', 'stdio'];
await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
await client.callTool({ name: 'prometheus_query', arguments: { query: 'up' } });
await client.close();
prometheus.close();
JS
node ask.mjs | tee seen
diff seen - <<'OUT'
/api/v1/query
OUT
