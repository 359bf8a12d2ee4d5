#!/usr/bin/env bash
# Four warnings, two seconds apart, that @youngkiu/pino-slack-webhook 0.1.2 (pino 9.6.0) posts to Slack, which
# answers 429 to the second.
# Guess: the second is posted later, or it alone is lost.
# Seen:  the transport ends with the first refusal, and so do all later warnings until the process starts again. The limit of
#        Slack is one message a second, so the channel falls silent in the very minute in which there is most to report.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @youngkiu/pino-slack-webhook@0.1.2 pino@9.6.0 >/dev/null 2>&1
cat >warn.mjs <<'EOF'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const { text } = JSON.parse(body);
  const status = text === 'second' ? 429 : 200;
  console.log(text, status);
  response.writeHead(status).end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const options = { webhookUrl: `http://127.0.0.1:${server.address().port}/`, channel: 'ops' };
const transport = pino.transport({ target: '@youngkiu/pino-slack-webhook', options });
transport.on('error', ({ message }) => console.log('error:', message));
const log = pino(transport);
for (const text of ['first', 'second', 'third', 'fourth']) {
  log.warn(text);
  await sleep(2000);
}
process.exit();
EOF
node warn.mjs | tee seen
diff seen - <<'EOF'
first 200
second 429
error: AxiosError: Request failed with status code 429
error: the worker has exited
error: the worker has exited
EOF
