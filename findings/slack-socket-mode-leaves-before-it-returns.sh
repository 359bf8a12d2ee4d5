#!/usr/bin/env bash
# Slack renews a connection of Socket Mode, as it does every few hours: it says `disconnect` with the reason "warning" and keeps the
# old connection open meanwhile. A bot (@slack/socket-mode 3.1.0) handles a click on Approve at this time.
# Guess: the client opens the next connection first and then closes the old one, or the acknowledgement waits for the next one.
# Seen:  it closes the only connection at once and opens the next one five seconds later. The acknowledgement is rejected
#        although Slack still listened, so the person sees an error and clicks again; a click in the gap finds no bot.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @slack/socket-mode@3.1.0 ws@8.18.3 >/dev/null 2>&1
cat >bot.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { LogLevel, SocketModeClient } from '@slack/socket-mode';
import { WebSocketServer } from 'ws';
const server = createServer((request, response) => {
  request.resume();
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ ok: true, url: `ws://127.0.0.1:${server.address().port}` }));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
let connections = 0;
let closed;
new WebSocketServer({ server }).on('connection', (socket) => {
  const send = (message) => socket.send(JSON.stringify(message));
  connections += 1;
  console.log(`connection ${connections} opens${closed ? `, over four seconds later: ${performance.now() - closed > 4000}` : ''}`);
  if (connections === 2) process.exit();
  socket.on('message', (message) => console.log(`Slack receives ${message}`));
  socket.on('close', () => {
    closed = performance.now();
    console.log('connection 1 is closed by the bot');
  });
  send({ type: 'hello' });
  send({ type: 'interactive', envelope_id: '1', payload: { actions: [{ action_id: 'approve' }] } });
  send({ type: 'disconnect', reason: 'warning' });
});
const bot = new SocketModeClient({
  appToken: 'token',
  clientOptions: { slackApiUrl: `http://127.0.0.1:${server.address().port}/` },
  logger: Object.fromEntries(['debug', 'info', 'warn', 'error', 'setLevel', 'setName', 'getLevel'].map((name) => [name, () => LogLevel.ERROR])),
});
bot.on('interactive', async ({ ack }) => {
  await new Promise((done) => setTimeout(done, 500));
  await ack().catch((error) => console.log(`acknowledgement: ${error.code}`));
});
await bot.start();
JS
timeout 60 node bot.mjs | tee seen
diff seen - <<'OUT'
connection 1 opens
connection 1 is closed by the bot
acknowledgement: slack_socket_mode_send_while_not_ready_error
connection 2 opens, over four seconds later: true
OUT
