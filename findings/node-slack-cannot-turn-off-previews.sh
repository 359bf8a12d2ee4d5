#!/usr/bin/env bash
# A message with a link by node-slack 0.0.7, with unfurl_links true and false. The description lists the
# option. A local server answers in place of Slack and prints what it receives.
# Guess: the option is sent as it was given.
# Seen:  false is left out, so no message can turn previews off.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund node-slack@0.0.7 request@2.88.2 >/dev/null 2>&1
cat >run.js <<'JS'
const http = require('node:http');
const Slack = require('node-slack');
const server = http.createServer(async (request, response) => {
  console.log(String(Buffer.concat(await request.toArray())));
  response.end('ok');
});
server.listen(0, '127.0.0.1', async () => {
  const slack = new Slack(`http://127.0.0.1:${server.address().port}`);
  for (const unfurl_links of [true, false]) await slack.send({ text: 'https://shop/runbook', unfurl_links });
  process.exit(0);
});
JS
node --no-deprecation run.js | tee seen
diff seen - <<'OUT'
{"text":"https://shop/runbook","unfurl_links":true}
{"text":"https://shop/runbook"}
OUT
