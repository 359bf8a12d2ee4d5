#!/usr/bin/env bash
# An assistant asks who is on call, by the tool `get_current_oncall_users` of @leval/mcp-grafana 1.1.7. The schedule is as Grafana OnCall
# documents it: `on_call_now` is a list of the ids of users.
# Guess: the id of the person on call, or their name from a second request.
# Seen:  nobody, without an error: the tool expects objects with a `user` and leaves out everything else. A model that is asked whom to page
#        answers that the schedule is empty. `list_oncall_schedules` has the same ids, as `shiftIds`, and a shift with this id does
#        not exist.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @leval/mcp-grafana@1.1.7 @modelcontextprotocol/sdk@1.32.2 >/dev/null 2>&1
cat >ask.mjs <<'JS'
import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const answers = {
  '/api/plugins/grafana-oncall-app/resources/api/v1/schedules/S1': { id: 'S1', name: 'shop', type: 'web', team_id: null, on_call_now: ['U1'] },
  '/api/plugins/grafana-oncall-app/resources/api/v1/users/U1': { id: 'U1', username: 'person-1', email: 'person-1@example.com' },
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
const { currentOncallUsers } = await ask('get_current_oncall_users', { scheduleId: 'S1' });
console.log('on call:', JSON.stringify(currentOncallUsers));
const [{ shiftIds }] = await ask('list_oncall_schedules', { scheduleId: 'S1' });
console.log('shifts:', JSON.stringify(shiftIds));
await client.close();
grafana.close();
grafana.closeAllConnections();
JS
node ask.mjs | tee seen
diff seen - <<'OUT'
on call: []
shifts: ["U1"]
OUT
