#!/usr/bin/env bash
# A WebClient of @slack/web-api 8.2.0 whose call of conversations.history is limited for three seconds (429 and Retry-After),
# and which then posts a message.
# Guess: the message is sent at once, because Slack limits each method on its own and chat.postMessage was not limited.
# Seen:  the whole client waits. A bot that reads histories through the client with which it posts delays its alerts by every
#        Retry-After, up to minutes; it needs a client for each.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @slack/web-api@8.2.0 >/dev/null 2>&1
cat >post.mjs <<'EOF'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { LogLevel, WebClient } from '@slack/web-api';
let limited = true;
const server = createServer((request, response) => {
  request.resume();
  const limit = limited && request.url === '/conversations.history';
  if (limit) limited = false;
  response.writeHead(limit ? 429 : 200, { 'content-type': 'application/json', ...(limit && { 'retry-after': '3' }) });
  response.end(JSON.stringify(limit ? { ok: false, error: 'ratelimited' } : { ok: true }));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const client = () =>
  new WebClient('token', { slackApiUrl: `http://127.0.0.1:${server.address().port}/`, logLevel: LogLevel.ERROR });
const shared = client();
const history = shared.conversations.history({ channel: 'C1' });
await new Promise((done) => setTimeout(done, 500));
for (const [name, poster] of [['a client of its own', client()], ['the same client', shared]]) {
  const start = performance.now();
  await poster.chat.postMessage({ channel: 'C2', text: 'Rollout is stuck' });
  console.log(`${name}: ${performance.now() - start > 1500 ? 'waits' : 'at once'}`);
}
await history;
server.close();
EOF
node post.mjs | tee seen
diff seen - <<'EOF'
a client of its own: at once
the same client: waits
EOF
