#!/usr/bin/env bash
# A request of @pagerduty/pdjs 2.2.4 with `requestTimeout: 500`, to a server that accepts it and answers after five seconds.
# Guess: an error after half a second, so that the caller pages by its other channel. Without the option 30 seconds count.
# Seen:  no error: the option starts a timer that does nothing. A call waits as long as the connection lives, and a fallback that
#        waits for its error never pages anybody. A caller needs a timeout of its own.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @pagerduty/pdjs@2.2.4 >/dev/null 2>&1
cat >page.mjs <<'EOF'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { api } from '@pagerduty/pdjs';
const server = createServer(async (request, response) => {
  request.resume();
  await sleep(5000);
  response.setHeader('content-type', 'application/json');
  response.end('{"incident":{"id":"P1"}}');
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}/incidents`;
const page = api({ url, method: 'POST', token: 'token', requestTimeout: 500, data: { incident: { title: 'web is down' } } });
const outcome = page.then(
  ({ data }) => data.incident.id,
  (error) => error.message,
);
console.log('after 3 s:', await Promise.race([outcome, sleep(3000, 'no answer and no error')]));
console.log('at last:', await outcome);
server.close();
EOF
node page.mjs | tee seen
diff seen - <<'EOF'
after 3 s: no answer and no error
at last: P1
EOF
