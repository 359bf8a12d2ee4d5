#!/usr/bin/env bash
# Two lines written by winston 2.4.7 to Slack by slack-winston 0.0.9: one with details, one with the error that caused it. A server takes the
# place of Slack.
# Guess: both posts begin with the message, and the details or the error follow.
# Seen:  with an error the message is replaced by that of the error. The post states that a connection was refused, and not what could not be
#        done, although details beside a message leave it as it is.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund winston@2.4.7 slack-winston@0.0.9 >/dev/null 2>&1
cat >log.js <<'JS'
const { createServer } = require('node:http');
const { json } = require('node:stream/consumers');
const { Slack } = require('slack-winston');
const winston = require('winston');

let posts = 0;
const server = createServer(async (request, response) => {
  console.log(`post: ${(await json(request)).text.replace(/\s+/g, ' ').replace(/ at .*/, ' at …')}`);
  posts += 1;
  response.end('ok', () => posts === 2 && process.exit());
});
server.listen(0, '127.0.0.1', () => {
  const transport = new Slack({ webhook_url: `http://127.0.0.1:${server.address().port}`, queueDelay: 1 });
  const logger = new winston.Logger({ transports: [transport] });
  logger.error('cannot roll back shop/web', { revision: 7 });
  logger.error('cannot roll back shop/web', new Error('connection refused'));
});
JS
timeout 60 node --no-warnings log.js | tee seen
diff seen - <<'OUT'
post: cannot roll back shop/web { "revision": 7 }
post: connection refused Error: connection refused at …
OUT
