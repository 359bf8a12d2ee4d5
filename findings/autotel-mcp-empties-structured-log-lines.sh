#!/usr/bin/env bash
# Two log records are sent as OTLP to the collector inside autotel-mcp 0.8.0: one with a text, one with a
# structured body and its severity as a number only, as OTLP permits. An assistant asks for them by the tool
# `search_logs`.
# Guess: both bodies, and the severity of both.
# Seen:  the structured body is an empty text, and its severity is UNSPECIFIED, so a search for errors does
#        not find it. The collector reports success.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund autotel-mcp@0.8.0 @modelcontextprotocol/sdk@1.32.2 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { once } from 'node:events';
import net from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
const free = net.createServer().listen(0, '127.0.0.1');
await once(free, 'listening');
const { port } = free.address();
free.close();
const args = ['node_modules/autotel-mcp/bin/autotel-mcp', '--collector-port', String(port)];
const client = new Client({ name: 'model', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
const timeUnixNano = `${Date.now()}000000`;
const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] };
const headers = { 'content-type': 'application/json' };

const reason = { key: 'reason', value: { stringValue: 'FailedScheduling' } };
const logRecords = [
  { timeUnixNano, severityNumber: 17, severityText: 'ERROR', body: { stringValue: 'no node fits' } },
  { timeUnixNano, severityNumber: 17, body: { kvlistValue: { values: [reason] } } },
];
const body = JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] });
const { status } = await fetch(`http://127.0.0.1:${port}/v1/logs`, { method: 'POST', headers, body });
console.log(`collector: ${status}`);
for (const query of [{}, { severityText: 'ERROR' }]) {
  const { content } = await client.callTool({ name: 'search_logs', arguments: query });
  const { data } = JSON.parse(content[0].text);
  const lines = data.items.map(({ body: text, severityText }) => `${severityText} "${text}"`).sort();
  console.log(`${JSON.stringify(query)}: ${lines.join(', ')}`);
}
await client.close();
JS
node run.mjs | tee seen
diff seen - <<'OUT'
collector: 200
{}: ERROR "no node fits", UNSPECIFIED ""
{"severityText":"ERROR"}: ERROR "no node fits"
OUT
