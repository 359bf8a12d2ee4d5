#!/usr/bin/env bash
# The log of a deployment, written to Slack by slackstream 0.2.1 with `wait`, which collects lines and sends them in messages of at most
# 4000 characters. A server takes the place of Slack.
# Guess: the line at the limit is split: its beginning ends one message, and its end begins the next one.
# Seen:  its end is lost. The program counts from zero again before it takes the rest, so the rest of a line of 2000 characters is
#        sent as an empty message. What is cut is the last line, the one with the error, and the stream reports success.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund slackstream@0.2.1 >/dev/null 2>&1
cat >send.js <<'JS'
const { createServer } = require('node:http');
const slackstream = require('slackstream');

let sent = '';
const server = createServer(async (request, response) => {
  const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
  const { text } = JSON.parse(form.get('payload'));
  console.log(`message of ${text.length} characters`);
  sent += text;
  response.end('ok');
});
server.listen(0, '127.0.0.1', async () => {
  const stream = slackstream(`http://127.0.0.1:${server.address().port}/`, { wait: true });
  const lines = ['a'.repeat(3000), `${'b'.repeat(1990)} failed: x\n`.slice(-2000)];
  for (const line of lines) await new Promise((done) => stream.write(line, done));
  setTimeout(() => {
    console.log(`${lines.join('').length} characters written, ${sent.length} sent, the reason is ${sent.includes('failed') ? '' : 'not '}among them`);
    process.exit();
  }, 1000);
});
JS
node send.js | tee seen
diff seen - <<'OUT'
message of 4000 characters
message of 0 characters
5000 characters written, 4000 sent, the reason is not among them
OUT
