#!/usr/bin/env bash
# An assistant asks for the state of node-1 in a cluster that also has node-12, by `diagnoseNode` of mcp-prometheus-linux-amd64 2.1.1. The
# server below prints which instances of the node exporter the matchers of each query select; Prometheus anchors them at both ends.
# Guess: node-1:9100 in each query.
# Seen:  every query about CPU, memory, disk and network also selects node-12:9100, as the name of the node is a prefix in it. The CPU
#        is the average of both nodes and the network their sum, so the load of node-12 is taken for that of node-1, and pods are
#        moved off the idle node. Only the conditions and the number of pods are those of node-1.
set -euo pipefail
[ "$(uname -sm)" = 'Linux x86_64' ] || { echo 'This program is published for Linux on amd64.'; exit 2; }
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund mcp-prometheus-linux-amd64@2.1.1 @modelcontextprotocol/sdk@1.32.2 >/dev/null 2>&1
cat >ask.mjs <<'JS'
import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const instances = ['node-1:9100', 'node-12:9100'];
const prometheus = createServer((request, response) => {
  const query = new URL(request.url, 'http://prometheus').searchParams.get('query') ?? '';
  for (const [, metric, instance] of query.matchAll(/(node_\w+)\{[^{}]*instance=~"([^"]+)"/g)) {
    const pattern = new RegExp(`^(?:${instance})$`);
    console.log(`${metric}: ${instances.filter((one) => pattern.test(one)).join(', ')}`);
  }
  response.setHeader('content-type', 'application/json').end('{"status":"success","data":{"resultType":"vector","result":[]}}');
});
await new Promise((done) => prometheus.listen(0, '127.0.0.1', done));
const env = { ...process.env, PROMETHEUS_URL: `http://127.0.0.1:${prometheus.address().port}` };
const client = new Client({ name: 'model', version: '1.0.0' });
const command = 'node_modules/mcp-prometheus-linux-amd64/bin/mcp-prometheus-linux-amd64';
await client.connect(new StdioClientTransport({ command, env, stderr: 'ignore' }));
await client.callTool({ name: 'diagnoseNode', arguments: { nodeName: 'node-1' } });
await client.close();
prometheus.close();
prometheus.closeAllConnections();
JS
node ask.mjs | sort -u | tee seen
diff seen - <<'OUT'
node_cpu_seconds_total: node-1:9100, node-12:9100
node_filesystem_avail_bytes: node-1:9100, node-12:9100
node_filesystem_size_bytes: node-1:9100, node-12:9100
node_memory_MemAvailable_bytes: node-1:9100, node-12:9100
node_memory_MemTotal_bytes: node-1:9100, node-12:9100
node_network_receive_bytes_total: node-1:9100, node-12:9100
node_network_transmit_bytes_total: node-1:9100, node-12:9100
OUT
