#!/usr/bin/env bash
# Alerts with fields, sent by slack-notify 2.0.7 through a notifier that `extend` made for a team: it has a channel and an attachment
# with the link to the runbook as defaults.
# Guess: each message has the attachment of the team and the fields of its own alert, as the defaults are only read.
# Seen:  the fields are added to the list of attachments in the defaults themselves. The second message repeats the fields of the
#        first one, the third those of both: an alert about `shop/cart` also states the numbers of `shop/web`, and each
#        message is longer than the one before until Slack refuses it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund slack-notify@2.0.7 >/dev/null 2>&1
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>/dev/null
cat >alert.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import slackNotify from 'slack-notify';

const server = createServer({ key: readFileSync('key.pem'), cert: readFileSync('cert.pem') }, async (request, response) => {
  const { text, attachments } = JSON.parse(await new Response(request).text());
  const titles = attachments.flatMap(({ fields = [] }) => fields.map(({ title, value }) => `${title} ${value}`));
  console.log(`${text}: ${titles.join(', ') || 'no field'}`);
  response.end('ok');
});
await new Promise((done) => server.listen(0, done));
const slack = slackNotify(`https://localhost:${server.address().port}/`);
const page = slack.extend({ channel: '#on-call', attachments: [{ title: 'Runbook', title_link: 'https://example.com/' }] });
await page({ text: 'web is stuck', fields: { 'web ready': 2 } });
await page({ text: 'cart is stuck', fields: { 'cart ready': 0 } });
await page({ text: 'all is well' });
server.close();
server.closeAllConnections();
JS
NODE_EXTRA_CA_CERTS=cert.pem node alert.mjs | tee seen
diff seen - <<'OUT'
web is stuck: web ready 2
cart is stuck: web ready 2, cart ready 0
all is well: web ready 2, cart ready 0
OUT
