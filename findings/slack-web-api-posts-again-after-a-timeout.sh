#!/usr/bin/env bash
# A WebClient of @slack/web-api 8.2.0 with a `timeout`, and a chat.postMessage that Slack accepts but answers too late.
# Guess: the call fails with an error about the timeout, after one post. Only the caller knows whether a post may be repeated.
# Seen:  the client posts again, without a sign to the caller: with the default policy ten more times in half an hour. A slow
#        minute of Slack fills the incident channel with copies of one alert, each with its own Approve button. A client that
#        posts needs `retryConfig: { retries: 0 }`.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @slack/web-api@8.2.0 >/dev/null 2>&1
cat >post.mjs <<'EOF'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { LogLevel, WebClient } from '@slack/web-api';
let accepted = 0;
const server = createServer(async (request, response) => {
  request.resume();
  await once(request, 'end');
  accepted += 1;
  if (accepted === 1) return;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ok: true }));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
for (const options of [{}, { retryConfig: { retries: 0 } }]) {
  accepted = 0;
  const slackApiUrl = `http://127.0.0.1:${server.address().port}/`;
  const client = new WebClient('token', { slackApiUrl, timeout: 1000, logLevel: LogLevel.ERROR, ...options });
  const outcome = await client.chat.postMessage({ channel: 'C1', text: 'Rollout is stuck' }).then(
    () => 'ok',
    (error) => error.message,
  );
  console.log(`${JSON.stringify(options)}: ${accepted} posts, ${outcome}`);
}
server.close();
server.closeAllConnections();
EOF
node post.mjs | tee seen
diff seen - <<'EOF'
{}: 2 posts, ok
{"retryConfig":{"retries":0}}: 1 posts, A request error occurred: The operation was aborted due to timeout
EOF
