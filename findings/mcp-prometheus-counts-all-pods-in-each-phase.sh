#!/usr/bin/env bash
# An assistant asks how many pods of a namespace run and have failed, by `diagnoseNamespace` of mcp-prometheus-linux-amd64 2.1.1. Of three pods
# two run and one is pending. kube-state-metrics writes a series for each pod and each phase: 1 for the phase it is in, 0 for the others.
# The server below answers as Prometheus does: `count` is the number of series, `sum` is the sum of their values.
# Guess: 2 running, 1 pending, 0 failed.
# Seen:  3 running, 3 pending, 3 failed. The tool counts the series, so every number is the number of all pods, whatever happens, and a
#        healthy namespace has as many failed pods as running ones. `getClusterHealthOverview` counts ready nodes in the same
#        way, so all nodes are always ready.
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

const series = [];
for (const [pod, current] of [['web-0', 'Running'], ['web-1', 'Running'], ['web-2', 'Pending']]) {
  for (const phase of ['Pending', 'Succeeded', 'Failed', 'Unknown', 'Running']) {
    series.push({ name: 'kube_pod_status_phase', labels: { namespace: 'shop', pod, phase }, value: phase === current ? 1 : 0 });
  }
}
for (const [node, ready] of [['node-1', 1], ['node-2', 0]]) {
  series.push({ name: 'kube_node_status_condition', labels: { node, condition: 'Ready', status: 'true' }, value: ready });
}
const evaluate = (query) => {
  const [, operator, name, matchers] = query.match(/^(count|sum)\((\w+)\{([^{}]*)\}\)$/) ?? [];
  const wanted = [...(matchers ?? '').matchAll(/(\w+)="([^"]*)"/g)];
  const found = series.filter((one) => one.name === name && wanted.every(([, label, value]) => one.labels[label] === value));
  const values = found.map(({ value }) => value);
  return operator === 'sum' ? values.reduce((total, value) => total + value, 0) : values.length;
};
const prometheus = createServer((request, response) => {
  const query = new URL(request.url, 'http://prometheus').searchParams.get('query') ?? '';
  const result = [{ metric: {}, value: [1772445600, `${evaluate(query)}`] }];
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ status: 'success', data: { resultType: 'vector', result } }));
});
await new Promise((done) => prometheus.listen(0, '127.0.0.1', done));
const env = { ...process.env, PROMETHEUS_URL: `http://127.0.0.1:${prometheus.address().port}` };
const client = new Client({ name: 'model', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command: 'node_modules/mcp-prometheus-linux-amd64/bin/mcp-prometheus-linux-amd64', env, stderr: 'ignore' }));
for (const [tool, args] of [['diagnoseNamespace', { namespace: 'shop' }], ['getClusterHealthOverview', {}]]) {
  const { text } = (await client.callTool({ name: tool, arguments: args })).content[0];
  for (const [, title, value] of text.matchAll(/^([^\n]*(?:Pods|Ready)[^\n]*):\n[^]*?"(\d+)"\n/gm)) console.log(`${tool}, ${title}: ${value}`);
}
await client.close();
prometheus.close();
prometheus.closeAllConnections();
JS
node ask.mjs | sort | tee seen
diff seen - <<'OUT'
diagnoseNamespace, Failed Pods: 3
diagnoseNamespace, Pending Pods: 3
diagnoseNamespace, Running Pods: 3
getClusterHealthOverview, Failed Pods: 3
getClusterHealthOverview, Pending Pods: 3
getClusterHealthOverview, Ready Nodes: 2
getClusterHealthOverview, Running Pods: 3
OUT
