#!/usr/bin/env bash
# slack-incoming-webhook 1.1.0, whose option `url` is the "webhook url for slack, if not specified, it falls back to
# `process.env.SLACK_WEBHOOK_URL`". The variable is set.
# Guess: the message is sent to the address of the variable.
# Seen:  an error is raised before anything is sent. The scheme is read from the option alone, and the variable only after it. A program
#        that is configured as documented sends no message.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund slack-incoming-webhook@1.1.0 >/dev/null 2>&1
cat >send.js <<'JS'
const slack = require('slack-incoming-webhook')({ username: 'rollouts' });
try {
  slack('rollout of shop/web is stuck', {}, () => console.log('called back'));
  console.log('request started');
} catch (error) {
  console.log(`${error.name}: ${error.message}`);
}
JS
SLACK_WEBHOOK_URL=http://127.0.0.1:9/hook node send.js | tee seen
diff seen - <<'OUT'
TypeError: Cannot read properties of undefined (reading 'match')
OUT
