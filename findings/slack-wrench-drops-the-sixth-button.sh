#!/usr/bin/env bash
# A row of six buttons, built with @slack-wrench/blocks 2.1.0. Slack allows 25 elements in a block of actions.
# Guess: six buttons. Its README states that it applies the limits of Slack, and six are below the limit.
# Seen:  five. The package still applies an older limit of five and cuts what is above it without an error: the last button, which
#        is often the one that cancels, is missing from the message.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @slack-wrench/blocks@2.1.0 >/dev/null 2>&1
cat >build.js <<'JS'
const { Actions, Button } = require('@slack-wrench/blocks');
const options = ['Roll back', 'Restart', 'Pause', 'Show logs', 'Silence', 'Cancel'];
const row = Actions(options.map((option) => Button(option, option)));
console.log(row.elements.map(({ text }) => text.text).join(', '));
JS
node build.js | tee seen
diff seen - <<'OUT'
Roll back, Restart, Pause, Show logs, Silence
OUT
