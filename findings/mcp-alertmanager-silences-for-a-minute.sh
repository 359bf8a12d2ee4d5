#!/usr/bin/env bash
# A silence of one and a half hours, which an assistant creates through mcp-alertmanager 2.1.1, an MCP server. Its tool names the
# format of the duration: '30m', '2h', '1d'.
# Guess: "1h30m" and "1.5h" are 90 minutes, as in Alertmanager and amtool ("1h30m") or Go, or they are refused, as "2w" is.
# Seen:  "1h30m" is one minute and "1.5h" is one hour: the first number and the last letter count. The tool reports success, and
#        its answer holds only the ID of the silence, so the assistant reports 90 quiet minutes, and the alert pages again after one.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund mcp-alertmanager@2.1.1 @modelcontextprotocol/sdk@1.32.2 >/dev/null 2>&1
cat >silence.mjs <<'EOF'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

let seconds;
const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const { startsAt, endsAt } = JSON.parse(body);
  seconds = Math.round((Date.parse(endsAt) - Date.parse(startsAt)) / 1000);
  response.setHeader('content-type', 'application/json');
  response.end('{"silenceID":"4f5c3c1e-5d3a-4a4e-9d0c-8a1d7c1b2e3f"}');
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const client = new Client({ name: 'finding', version: '1.0.0' });
const args = ['node_modules/mcp-alertmanager/bin/index.js', '--url', `http://127.0.0.1:${server.address().port}`];
await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
for (const duration of ['90m', '1h30m', '1.5h', '2w']) {
  seconds = undefined;
  const silence = { alertName: 'KubeDeploymentRolloutStuck', duration };
  const { isError = false } = await client.callTool({ name: 'createSilence', arguments: silence });
  console.log(`${duration}: refused ${isError}, silent for ${seconds} s`);
}
await client.close();
server.close();
EOF
node silence.mjs | tee seen
diff seen - <<'EOF'
90m: refused false, silent for 5400 s
1h30m: refused false, silent for 60 s
1.5h: refused false, silent for 3600 s
2w: refused true, silent for undefined s
EOF
