#!/usr/bin/env bash
# Three messages sent by slack-notifier 0.0.3: the second one with a channel and a name of its own, which its documentation describes as
# overwriting the global settings for this message. A server takes the place of Slack.
# Guess: the third message goes to the channel of the configuration again.
# Seen:  it goes to the channel of the second one, under its name. The options of one message are written into the configuration, so after
#        one page to the channel of incidents all routine messages are posted there.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund slack-notifier@0.0.3 >/dev/null 2>&1
cat >send.js <<'JS'
const { createServer } = require('node:http');
const notifier = require('slack-notifier');

console.log = () => {};
const server = createServer(async (request, response) => {
  const { text, channel, username } = JSON.parse(Buffer.concat(await request.toArray()).toString());
  console.info(`${text}: ${channel}, ${username}`);
  response.end('ok');
});
server.listen(0, '127.0.0.1', async () => {
  notifier.configure({ url: `http://127.0.0.1:${server.address().port}/`, channel: '#team', username: 'bot' });
  const incident = { channel: '#incidents', username: 'pager' };
  for (const [text, options] of [['web is rolled out', {}], ['web is stuck', incident], ['cart is rolled out', {}]]) {
    await new Promise((callback) => notifier.send(text, { ...options, callback }));
  }
  process.exit();
});
JS
node send.js | tee seen
diff seen - <<'OUT'
web is rolled out: #team, bot
web is stuck: #incidents, pager
cart is rolled out: #incidents, pager
OUT
