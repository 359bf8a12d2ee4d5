#!/usr/bin/env bash
# An assistant asks which alerts fire, by the tool `list_alert_rules` of @leval/mcp-grafana 1.1.7, "a summary including UID, title, current
# state, and labels". The rule fires; Grafana has the definition of a rule and its state under two addresses.
# Guess: the state is firing.
# Seen:  inactive. The tool reads the definitions only, which have no state, and fills in "inactive" for what is missing: whatever fires,
#        the model answers that nothing does.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @leval/mcp-grafana@1.1.7 @modelcontextprotocol/sdk@1.32.2 >/dev/null 2>&1
cat >ask.mjs <<'JS'
import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const rule = { uid: 'R1', title: 'web is stuck', ruleGroup: 'shop', folderUID: 'F1', for: '5m', labels: { team: 'shop' }, isPaused: false };
const firing = { name: 'web is stuck', uid: 'R1', state: 'firing', health: 'ok', alerts: [{ labels: {}, state: 'Alerting', activeAt: '2026-03-02T10:00:00Z', value: '1' }] };
const answers = {
  '/api/v1/provisioning/alert-rules': [rule],
  '/api/prometheus/grafana/api/v1/rules': { status: 'success', data: { groups: [{ name: 'shop', rules: [firing] }] } },
};
const grafana = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://grafana');
  response.setHeader('content-type', 'application/json').writeHead(answers[pathname] ? 200 : 404);
  response.end(JSON.stringify(answers[pathname] ?? { detail: `no ${pathname}` }));
});
await new Promise((done) => grafana.listen(0, '127.0.0.1', done));
const env = { ...process.env, GRAFANA_URL: `http://127.0.0.1:${grafana.address().port}`, GRAFANA_SERVICE_ACCOUNT_TOKEN: 'token' };
const client = new Client({ name: 'model', version: '1.0.0' });
const command = { command: 'node', args: ['node_modules/@leval/mcp-grafana/dist/cli.js'], env, stderr: 'ignore' };
await client.connect(new StdioClientTransport(command));
const ask = async (name, args) => JSON.parse((await client.callTool({ name, arguments: args })).content[0].text);
for (const { title, state } of await ask('list_alert_rules', {})) console.log(`${title}: ${state}`);
await client.close();
grafana.close();
grafana.closeAllConnections();
JS
node ask.mjs | tee seen
diff seen - <<'OUT'
web is stuck: inactive
OUT
