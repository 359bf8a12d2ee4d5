#!/usr/bin/env bash
# A gauge and a histogram of four requests, which took 800 ms in total, are sent as OTLP to the collector
# inside autotel-mcp 0.8.0. An assistant asks for them by the tool `list_metrics`.
# Guess: the gauge as it was sent, and for the histogram its count, its sum or its buckets, or a note that
#        they are not kept.
# Seen:  the histogram has one value, which is 0, whatever was sent. The collector reports success.
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

const histogram = { count: '4', sum: 800, bucketCounts: ['1', '3'], explicitBounds: [100], timeUnixNano };
const metrics = [
  { name: 'queue.length', gauge: { dataPoints: [{ asInt: '7', timeUnixNano }] } },
  { name: 'request.duration', unit: 'ms', histogram: { dataPoints: [histogram], aggregationTemporality: 2 } },
];
const body = JSON.stringify({ resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] });
const { status } = await fetch(`http://127.0.0.1:${port}/v1/metrics`, { method: 'POST', headers, body });
console.log(`collector: ${status}`);
const { content } = await client.callTool({ name: 'list_metrics', arguments: {} });
const { data } = JSON.parse(content[0].text);
const lines = data.items.map(({ metricName, points }) => `${metricName}: ${points.map(({ value }) => value)}`);
console.log(lines.sort().join('\n'));
await client.close();
JS
node run.mjs | tee seen
diff seen - <<'OUT'
collector: 200
queue.length: 7
request.duration: 0
OUT
