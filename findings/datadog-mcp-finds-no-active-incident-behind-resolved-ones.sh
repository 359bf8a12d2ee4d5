#!/usr/bin/env bash
# An assistant asks for two active incidents of Datadog, by the tool `incidents` of datadog-mcp 5.8.2. Of four incidents the first two are
# resolved and the last two are active. nock 13.5.6 answers in place of Datadog.
# Guess: the two active ones.
# Seen:  none, and `total` is 0. The tool reads as many incidents as were asked for and filters only those, so a limit hides what it should
#        limit. The model answers that no incident is active; with a limit of 4 it finds both.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund datadog-mcp@5.8.2 @modelcontextprotocol/sdk@1.32.2 nock@13.5.6 >/dev/null 2>&1
cat >datadog.js <<'JS'
const nock = require('nock');
nock('https://api.datadoghq.com')
  .persist()
  .get('/api/v2/incidents')
  .query(true)
  .reply(200, (uri) => {
    const query = new URL(uri, 'https://api.datadoghq.com').searchParams;
    const states = ['resolved', 'resolved', 'active', 'active'];
    const data = states.map((state, index) => ({ id: `incident-${index}`, type: 'incidents', attributes: { title: `incident ${index}`, state } }));
    return { data: data.slice(0, Number(query.get('page[size]') ?? 10)) };
  });
JS
cat >ask.mjs <<'JS'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
const env = { ...process.env, DD_API_KEY: 'key', DD_APP_KEY: 'key' };
const client = new Client({ name: 'model', version: '1.0.0' });
const args = ['--require', './datadog.js', 'node_modules/datadog-mcp/dist/index.js'];
await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
const ask = async (name, question) => JSON.parse((await client.callTool({ name, arguments: question })).content[0].text);
for (const limit of [2, 4]) {
  const { incidents, total } = await ask('incidents', { action: 'list', status: 'active', limit });
  console.log(`limit ${limit}: total ${total}, ${incidents.map(({ title }) => title).join(', ') || 'none'}`);
}
await client.close();
JS
node ask.mjs | tee seen
diff seen - <<'OUT'
limit 2: total 0, none
limit 4: total 2, incident 2, incident 3
OUT
