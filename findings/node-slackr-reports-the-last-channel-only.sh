#!/usr/bin/env bash
# One message for two channels, sent by node-slackr 1.0.1: the first one is archived, so Slack refuses it; the second one is there.
# A server takes the place of Slack.
# Guess: the callback gets an error, because the message is missing in one channel, or is called once for each channel.
# Seen:  it is called once, with the answer that came last. When that one is "ok", the refusal before it is lost; in the other order
#        the same two answers are an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund node-slackr@1.0.1 >/dev/null 2>&1
cat >notify.js <<'JS'
const { createServer } = require('node:http');
const Slack = require('node-slackr');

const server = createServer(async (request, response) => {
  const { channel } = JSON.parse(Buffer.concat(await request.toArray()).toString());
  const delay = channel.endsWith('later') ? 500 : 0;
  const answer = channel.startsWith('archived') ? [410, 'channel_is_archived'] : [200, 'ok'];
  setTimeout(() => response.writeHead(answer[0]).end(answer[1]), delay);
});
server.listen(0, '127.0.0.1', async () => {
  const slack = new Slack(`http://127.0.0.1:${server.address().port}/`);
  for (const channel of [['archived', 'team later'], ['archived later', 'team']]) {
    const answer = await new Promise((done) => slack.notify({ text: 'web is stuck', channel }, (error, body) => done(error ? `error ${error}` : body)));
    console.log(`${channel.join(' and ')}: ${answer}`);
  }
  process.exit();
});
JS
node notify.js | tee seen
diff seen - <<'OUT'
archived and team later: ok
archived later and team: error channel_is_archived
OUT
