#!/usr/bin/env bash
# A query through prometheus-mcp 1.1.3. The local server answers with one series and a warning, as Thanos or
# Prometheus does when a store did not answer and the result is incomplete.
# Guess: the series and the warning.
# Seen:  the series only. The server returns the data of the answer and drops its warnings, so a model counts
#        what is left of a result as the whole.
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
const result = [{ metric: { pod: 'web-1' }, value: [1767225600, '1'] }];
const warnings = ['no store matched, the result is partial'];
const prometheus = createServer((_request, response) => {
  response.end(JSON.stringify({ status: 'success', data: { resultType: 'vector', result }, warnings }));
});
await once(prometheus.listen(0, '127.0.0.1'), 'listening');
const env = { ...process.env, PROMETHEUS_URL: `http://127.0.0.1:${prometheus.address().port}` };
const client = new Client({ name: 'model', version: '1.0.0' });
const args = ['node_modules/prometheus-mcp/dist/index.mjs', 'stdio'];
await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
const answer = JSON.stringify(await client.callTool({ name: 'prometheus_query', arguments: { query: 'up' } }));
console.log(`series: ${answer.includes('web-1')}, warning: ${answer.includes('partial')}`);
await client.close();
prometheus.close();
JS
node ask.mjs | tee seen
diff seen - <<'OUT'
series: true, warning: false
OUT
