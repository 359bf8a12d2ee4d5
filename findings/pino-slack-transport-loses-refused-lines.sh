#!/usr/bin/env bash
# Three lines of a log, which pino 9.14.0 sends to an incoming webhook of Slack by pino-slack-transport 1.1.0. The webhook answers
# the second line with 429 and `Retry-After: 1`, as Slack does for more than one message per second.
# Guess: the second line is sent again after a second, or an error is written; the package writes one where sending fails.
# Seen:  the answer is never read. The line is lost, nothing is written, and the process ends with success. The same
#        happens after `invalid_blocks`, which Slack answers to a message of more than 3,000 characters, such as one with a long stack.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund pino@9.14.0 pino-slack-transport@1.1.0 >/dev/null 2>&1
cat >log.mjs <<'JS'
import { createServer } from 'node:http';
import pino from 'pino';
import { createTransport } from 'pino-slack-transport';

let requests = 0;
let answeredAll;
const all = new Promise((done) => (answeredAll = done));
const server = createServer(async (request, response) => {
  const { text } = JSON.parse(await new Response(request).text());
  const status = ++requests === 2 ? 429 : 200;
  console.log(`${text}: answered with ${status}`);
  response.writeHead(status, { 'retry-after': '1' }).end();
  if (text.startsWith('web-2')) setTimeout(answeredAll, 3000);
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const transport = createTransport({ webhookUrl: `http://127.0.0.1:${server.address().port}/` });
const log = pino(transport);
for (const pod of ['web-0', 'web-1', 'web-2']) log.error(`${pod} does not start`);
await all;
console.log(`${requests} requests for 3 lines`);
server.close();
server.closeAllConnections();
JS
node log.mjs 2>&1 | tee seen
diff seen - <<'OUT'
web-0 does not start: answered with 200
web-1 does not start: answered with 429
web-2 does not start: answered with 200
3 requests for 3 lines
OUT
