#!/usr/bin/env bash
# Two messages for Slack, built with slack-message-builder 1.2.1: one for the channel of the team, one for the channel of incidents. What was
# set is read back with `get`, as the README does.
# Guess: each message returns its own text and channel.
# Seen:  both return those of the message that was built last; which one is asked makes no difference. The JSON of each is right, so a bot that
#        posts `message.json()` to `message.channel.get()` sends the text for one channel to the other.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund slack-message-builder@1.2.1 >/dev/null 2>&1
cat >build.js <<'JS'
const message = require('slack-message-builder');
const team = message('Details of web').channel('C-TEAM');
const incidents = message('web is stuck').channel('C-INCIDENTS');
for (const built of [team, incidents]) {
  console.log(`${JSON.stringify(built.json())} reads ${built.text.get()}, ${built.channel.get()}`);
}
JS
node build.js | tee seen
diff seen - <<'OUT'
{"text":"Details of web","channel":"C-TEAM"} reads web is stuck, C-INCIDENTS
{"text":"web is stuck","channel":"C-INCIDENTS"} reads web is stuck, C-INCIDENTS
OUT
