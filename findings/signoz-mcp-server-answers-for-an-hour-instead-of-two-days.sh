#!/usr/bin/env bash
# An assistant asks for a metric of the last hour, of the last day as `1d` and `24h`, and of the last two
# days, by the tool `query_metrics` of signoz-mcp-server 1.2.2. The tool describes its period as "Time period"
# only. A local server answers in place of SigNoz and records the hours of the query.
# Guess: 1, 24, 24 and 48 hours, or an error for a period that the tool does not know.
# Seen:  each period that is not in the list of the package becomes one hour, and the answer states the period
#        of the question. The last hour is presented as the last two days.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund signoz-mcp-server@1.2.2 @modelcontextprotocol/sdk@1.32.2 >/dev/null 2>&1
cat >ask.mjs <<'JS'
import http from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
let hours;
const signoz = http.createServer((request, response) => {
  const query = new URL(request.url, 'http://signoz').searchParams;
  hours = (query.get('end') - query.get('start')) / 3_600;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ status: 'success', data: { result: [] } }));
});
await new Promise((resolve) => signoz.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${signoz.address().port}`;
const env = { ...process.env, SIGNOZ_URL: url, SIGNOZ_TOKEN: 'token' };
const client = new Client({ name: 'model', version: '1.0.0' });
const args = ['node_modules/signoz-mcp-server/dist/index.js'];
await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
for (const period of ['1h', '24h', '1d', '2d']) {
  const { content } = await client.callTool({ name: 'query_metrics', arguments: { query: 'up', period } });
  console.log(`${period}: "${content[0].text.split('\n')[0]}" asks for ${hours} hours`);
}
await client.close();
signoz.close();
JS
node ask.mjs | tee seen
diff seen - <<'OUT'
1h: "Metric Query Results (1h):" asks for 1 hours
24h: "Metric Query Results (24h):" asks for 24 hours
1d: "Metric Query Results (1d):" asks for 1 hours
2d: "Metric Query Results (2d):" asks for 1 hours
OUT
