#!/usr/bin/env bash
# An assistant asks for the history of a service level objective of the last day and of the last week, by the tool `slos` of datadog-mcp
# 5.8.2, with the forms that it documents: relative like "7d" and "1w". nock 13.5.6 answers in place of Datadog.
# Guess: a day and seven days.
# Seen:  a day, and everything since 1970. The tool does not know the unit `w`, which it names, and takes the number before it for a
#        Unix timestamp: "1w" begins at second 1. The service level of "the last week" is that of all time, and no error states it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund datadog-mcp@5.8.2 @modelcontextprotocol/sdk@1.32.2 nock@13.5.6 >/dev/null 2>&1
cat >datadog.js <<'JS'
const nock = require('nock');
nock('https://api.datadoghq.com')
  .persist()
  .get('/api/v1/slo/checkout/history')
  .query(true)
  .reply(200, { data: { overall: { sli_value: 99.9 } } });
JS
cat >ask.mjs <<'JS'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
const env = { ...process.env, DD_API_KEY: 'key', DD_APP_KEY: 'key' };
const client = new Client({ name: 'model', version: '1.0.0' });
const args = ['--require', './datadog.js', 'node_modules/datadog-mcp/dist/index.js'];
await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
const ask = async (name, question) => JSON.parse((await client.callTool({ name, arguments: question })).content[0].text);
for (const from of ['1d', '7d', '1w']) {
  const { history } = await ask('slos', { action: 'history', id: 'checkout', from });
  const days = Math.round((Date.parse(history.toTs) - Date.parse(history.fromTs)) / 86_400_000);
  console.log(`${from}: ${days < 10 ? `${days} x 24 hours` : `since ${history.fromTs}`}`);
}
await client.close();
JS
node ask.mjs | tee seen
diff seen - <<'OUT'
1d: 1 x 24 hours
7d: 7 x 24 hours
1w: since 1970-01-01T00:00:01.000Z
OUT
