#!/usr/bin/env bash
# A runbook in HTML with a nested list and a command, translated for Slack by html2slack 1.9.1, which has rules for lists and for code.
# Guess: nested steps are indented or follow their step, and the command is shown as code.
# Seen:  a nested list is joined to its step without a space: `Restart webweb-0web-1`. Inside a list, code and bold text lose their
#        formatting; in a paragraph the same command is code.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund html2slack@1.9.1 >/dev/null 2>&1
cat >translate.js <<'JS'
const html2slack = require('html2slack');
const list = '<ul><li>Restart web<ul><li>web-0</li><li>web-1</li></ul></li><li>Run <code>kubectl get pods</code></li></ul>';
const page = `<body><section>${list}</section><section><p>Run <code>kubectl get pods</code></p></section></body>`;
for (const { text } of html2slack(page).attachments) console.log(text);
JS
node translate.js | tee seen
diff seen - <<'OUT'
• Restart webweb-0web-1
• Run kubectl get pods
Run `kubectl get pods`
OUT
