#!/usr/bin/env bash
# The custom emoji of a workspace and a message with metadata, through messaging-api-slack 1.1.0, whose `callMethod` calls any method of Slack.
# A server takes the place of Slack.
# Guess: the names of the emoji as Slack lists them: only fields of the API are turned into camel case.
# Seen:  every key of an answer is turned, also keys that people chose. `party_parrot` and `on-call` become `partyParrot` and `onCall`, names
#        that Slack does not know, so a reaction with one of them is refused. The metadata of a message is sent as an empty text.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund messaging-api-slack@1.1.0 >/dev/null 2>&1
cat >call.js <<'JS'
const { createServer } = require('node:http');
const { text } = require('node:stream/consumers');
const { SlackOAuthClient } = require('messaging-api-slack');

const emoji = { party_parrot: 'https://emoji.example/1.gif', 'on-call': 'https://emoji.example/2.gif' };
const server = createServer(async (request, response) => {
  const metadata = new URLSearchParams(await text(request)).get('metadata');
  if (metadata !== null) console.log(`metadata: "${metadata}"`);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ ok: true, emoji }));
});
server.listen(0, '127.0.0.1', async () => {
  const client = new SlackOAuthClient({ accessToken: 'token', origin: `http://127.0.0.1:${server.address().port}` });
  console.log('emoji:', Object.keys((await client.callMethod('emoji.list')).emoji).join(', '));
  const metadata = { event_type: 'rollout_stuck', event_payload: { revision: '7' } };
  await client.chat.postMessage({ channel: 'C1', text: 'web is stuck', metadata });
  process.exit();
});
JS
node call.js | tee seen
diff seen - <<'OUT'
emoji: partyParrot, onCall
metadata: ""
OUT
