#!/usr/bin/env bash
# Two links in HTML, turned into text for Slack by html-to-mrkdwn-ts 1.1.0: one with a `title`, and the same
# without. A link of Slack is <address|text>.
# Guess: the same link for both, or the title beside the link.
# Seen:  the title stands inside the link, behind the address. What stands before the bar is the address, so the
#        link has another address.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund html-to-mrkdwn-ts@1.1.0 >/dev/null 2>&1
cat >links.js <<'JS'
const { default: convert } = require('html-to-mrkdwn-ts');
console.log(convert('<a href="https://runbook.example/web">runbook</a>').text);
console.log(convert('<a href="https://runbook.example/web" title="What to do">runbook</a>').text);
JS
node links.js | tee seen
diff seen - <<'OUT'
<https://runbook.example/web|runbook>
<https://runbook.example/web "What to do"|runbook>
OUT
