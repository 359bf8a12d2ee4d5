#!/usr/bin/env bash
# Two firing alerts, one of them silenced, as an assistant sees them through mcp-alertmanager 2.1.1, an MCP server. Its tool
# getAlerts "returns active alerts by default", and getAlertingSummary counts active alerts. The server of this script selects
# alerts as the OpenAPI file of Alertmanager states: `active` and `silenced` are true unless the request names another value.
# Guess: both leave out the silenced alert.
# Seen:  both include it. getAlerts sends no condition at all, and the summary sends `active=true`, which excludes nothing. An
#        assistant reports the planned work of the night as an incident. `silenced: 'false'` helps getAlerts; the summary takes no
#        such argument.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund mcp-alertmanager@2.1.1 @modelcontextprotocol/sdk@1.32.2 >/dev/null 2>&1
cat >list.mjs <<'EOF'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const times = { startsAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z', endsAt: '2036-01-01T00:00:00Z' };
const alertOf = (alertname, state) => ({
  ...times,
  labels: { alertname, severity: 'critical', namespace: 'shop' },
  annotations: {},
  fingerprint: alertname,
  receivers: [{ name: 'slack' }],
  status: { state, silencedBy: state === 'suppressed' ? ['1'] : [], inhibitedBy: [] },
});
const alerts = [alertOf('RolloutStuck', 'active'), alertOf('NodeDrained', 'suppressed')];
const server = createServer(({ url }, response) => {
  const query = new URL(url, 'http://alertmanager').searchParams;
  const isWanted = ({ status }) => query.get(status.state === 'active' ? 'active' : 'silenced') !== 'false';
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(alerts.filter(isWanted)));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const client = new Client({ name: 'finding', version: '1.0.0' });
const args = ['node_modules/mcp-alertmanager/bin/index.js', '--url', `http://127.0.0.1:${server.address().port}`];
await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
const call = async (name, args) => (await client.callTool({ name, arguments: args })).content[0].text;
for (const args of [{}, { silenced: 'false' }]) {
  const listed = JSON.parse(await call('getAlerts', args));
  console.log('getAlerts', JSON.stringify(args), listed.map(({ labels }) => labels.alertname).join(', '));
}
console.log((await call('getAlertingSummary', {})).split('\n').find((line) => line.includes('Active')));
await client.close();
server.close();
EOF
node list.mjs | tee seen
diff seen - <<'EOF'
getAlerts {} RolloutStuck, NodeDrained
getAlerts {"silenced":"false"} RolloutStuck
Total Active Alerts: 2
EOF
