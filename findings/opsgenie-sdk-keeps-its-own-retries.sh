#!/usr/bin/env bash
# An alert that opsgenie-sdk 0.5.1 sends with `maxAttempts: 1` and `retryDelay: 100`, to a server that answers 503.
# Guess: one request, so that the caller decides whether to send again: the configuration of the SDK has these options beside `host`.
# Seen:  the SDK sends again: it builds a client with the options and then uses another one. No value of `maxAttempts`,
#        `retryDelay` or `retryStrategy` has an effect. A caller that gave up after one attempt pages by a second way, and the first
#        page still arrives.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund opsgenie-sdk@0.5.1 >/dev/null 2>&1
cat >page.mjs <<'EOF'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import opsgenie from 'opsgenie-sdk';

let requests = 0;
const server = createServer((request, response) => {
  requests += 1;
  request.resume();
  response.writeHead(503, { 'content-type': 'application/json' }).end('{}');
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const host = `http://127.0.0.1:${server.address().port}`;
opsgenie.configure({ host, api_key: 'key', maxAttempts: 1, retryDelay: 100 });
opsgenie.alertV2.create({ message: 'web is stuck', alias: 'web' }, () => {});
for (const seconds of [2, 8]) {
  await sleep(seconds * 1000);
  console.log(`${requests} requests`);
}
process.exit();
EOF
node --no-warnings page.mjs | tee seen
diff seen - <<'EOF'
1 requests
2 requests
EOF
