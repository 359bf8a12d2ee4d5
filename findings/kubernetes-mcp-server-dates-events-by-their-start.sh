#!/usr/bin/env bash
# Two events of a pod that is still pending, by the tool `events_list` of kubernetes-mcp-server 0.0.67: the scheduler has refused
# it from 9:00 to 10:00, twelve times (events.k8s.io, as the scheduler writes); the kubelet backed off from 9:00 to 9:30.
# Guess: when each was last seen and how often, as `kubectl events` shows both.
# Seen:  the refusal is dated 9:00 and the back-off 9:30, and no count is shown. The tool reads `lastTimestamp`, which the
#        scheduler leaves empty, and then the time of the first refusal. An assistant concludes that the refusals ended an hour
#        ago and that the container has failed since, while it is the other way round.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund kubernetes-mcp-server@0.0.67 @modelcontextprotocol/sdk@1.32.2 >/dev/null 2>&1
cat >list.mjs <<'EOF'
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const eventOf = (reason, times) => ({
  metadata: { name: reason.toLowerCase(), namespace: 'shop' },
  involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'web-1', namespace: 'shop' },
  type: 'Warning',
  reason,
  ...times,
});
const answers = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', groups: [] },
  '/api/v1': { kind: 'APIResourceList', groupVersion: 'v1', resources: [{ name: 'events', namespaced: true, kind: 'Event', verbs: ['list'] }] },
  '/api/v1/namespaces/shop/events': {
    kind: 'EventList',
    apiVersion: 'v1',
    items: [
      eventOf('FailedScheduling', {
        eventTime: '2026-11-28T09:00:00.000000Z',
        series: { count: 12, lastObservedTime: '2026-11-28T10:00:00.000000Z' },
      }),
      eventOf('BackOff', { firstTimestamp: '2026-11-28T09:00:00Z', lastTimestamp: '2026-11-28T09:30:00Z', count: 40 }),
    ],
  },
};
const server = createServer((request, response) => {
  const answer = answers[request.url.split('?')[0]];
  response.statusCode = answer ? 200 : 404;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answer ?? { kind: 'Status', code: 404 }));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const config = {
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'c',
  clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${server.address().port}` } }],
  users: [{ name: 'c', user: {} }],
  contexts: [{ name: 'c', context: { cluster: 'c', user: 'c', namespace: 'shop' } }],
};
writeFileSync('config', JSON.stringify(config));
const client = new Client({ name: 'assistant', version: '1.0.0' });
const args = ['node_modules/kubernetes-mcp-server/bin/index.js', '--kubeconfig', `${process.cwd()}/config`];
await client.connect(new StdioClientTransport({ command: 'node', args, stderr: 'ignore' }));
const { content } = await client.callTool({ name: 'events_list', arguments: { namespace: 'shop' } });
for (const line of content[0].text.split('\n')) {
  if (/Reason|Timestamp|Count|Last|12|40/.test(line)) console.log(line.trim());
}
await client.close();
process.exit();
EOF
node list.mjs | tee seen
diff seen - <<'EOF'
Reason: FailedScheduling
Timestamp: 2026-11-28 09:00:00 +0000 UTC
Reason: BackOff
Timestamp: 2026-11-28 09:30:00 +0000 UTC
EOF
