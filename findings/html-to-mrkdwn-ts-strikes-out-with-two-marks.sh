#!/usr/bin/env bash
# Bold text and struck text in HTML, turned into text for Slack by html-to-mrkdwn-ts 1.1.0. Slack marks bold
# text with one asterisk on each side and struck text with one tilde on each side.
# Guess: *done* and ~old~.
# Seen:  *done* and ~~old~~. The package sets the mark for bold text only and keeps the mark of Markdown for
#        struck text.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund html-to-mrkdwn-ts@1.1.0 >/dev/null 2>&1
cat >marks.js <<'JS'
const { default: convert } = require('html-to-mrkdwn-ts');
console.log(convert('<p><b>done</b> <del>old</del></p>').text);
JS
node marks.js | tee seen
diff seen - <<'OUT'
*done* ~~old~~
OUT
