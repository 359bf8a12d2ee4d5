#!/usr/bin/env bash
# An assistant asks for log lines by the tool `search_logs` of signoz-mcp-server 1.2.2, with different values
# of `limit`, "maximum number of logs to return", whose default is 100. A local server answers in place of
# SigNoz with as many lines as the query asks for.
# Guess: 10, 50 and 100 lines.
# Seen:  at most 20 lines are in the answer. The others were read and are only counted, and no argument
#        returns them.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund signoz-mcp-server@1.2.2 @modelcontextprotocol/sdk@1.32.2 >/dev/null 2>&1
cat >ask.mjs <<'JS'
import http from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
const signoz = http.createServer(async (request, response) => {
  const chunks = await request.toArray();
  const body = JSON.parse(Buffer.concat(chunks).toString() || '{}');
  const limit = body.compositeQuery?.builderQueries.A.limit ?? 0;
  const logs = Array.from({ length: limit }, (_, line) => ({ timestamp: '1767225600000000000', body: `line ${line}` }));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ status: 'success', data: { logs, total: limit } }));
});
await new Promise((resolve) => signoz.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${signoz.address().port}`;
const env = { ...process.env, SIGNOZ_URL: url, SIGNOZ_TOKEN: 'token' };
const client = new Client({ name: 'model', version: '1.0.0' });
const args = ['node_modules/signoz-mcp-server/dist/index.js'];
await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
for (const limit of [10, 50, 100]) {
  const { content } = await client.callTool({ name: 'search_logs', arguments: { query: 'late', limit } });
  const [found] = content[0].text.match(/Found: \d+/);
  console.log(`limit ${limit}: ${found}, shown: ${content[0].text.split('] line ').length - 1}`);
}
await client.close();
signoz.close();
JS
node ask.mjs | tee seen
diff seen - <<'OUT'
limit 10: Found: 10, shown: 10
limit 50: Found: 50, shown: 20
limit 100: Found: 100, shown: 20
OUT
