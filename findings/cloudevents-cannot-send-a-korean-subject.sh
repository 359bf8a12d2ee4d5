#!/usr/bin/env bash
# An event with a Korean subject in the binary mode of HTTP, from and to cloudevents 10.0.0, the SDK for JavaScript. The HTTP
# binding of CloudEvents 1.0.2 percent-encodes such characters in headers, and a receiver decodes them.
# Guess: the SDK encodes and decodes, so that the event arrives as it was written.
# Seen:  neither. The header holds the raw characters, which Node refuses, so the event is not sent at all. The subject of an
#        encoded event from another SDK arrives as `%EB%B0%B0%ED%8F%AC`, and a filter on the name of the rollout never matches.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund cloudevents@10.0.0 >/dev/null 2>&1
cat >send.mjs <<'EOF'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { CloudEvent, emitterFor, HTTP, httpTransport } from 'cloudevents';

const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  console.log('received:', HTTP.toEvent({ headers: request.headers, body }).subject);
  response.end();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}`;
const send = emitterFor(httpTransport(url));
for (const subject of ['deploy', '배포']) {
  const event = new CloudEvent({ id: '1', source: '/shop/web', type: 'rollout.failed', subject, data: {} });
  await send(event).catch((error) => console.log(`${subject}: ${error.code}`));
}
const headers = { 'ce-id': '1', 'ce-source': '/a', 'ce-type': 'b', 'ce-specversion': '1.0', 'ce-subject': encodeURIComponent('배포') };
await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{}' });
server.close();
EOF
node send.mjs | tee seen
diff seen - <<'EOF'
received: deploy
배포: ERR_INVALID_CHAR
received: %EB%B0%B0%ED%8F%AC
EOF
