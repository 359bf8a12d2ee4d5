#!/usr/bin/env bash
# The description of an alert in HTML, translated for Slack by slackify-html 1.0.1: a list of pods, a line break, and a command.
# Guess: items of a list and lines stay apart, and what is escaped stays escaped, because Slack wants `&lt;` too.
# Seen:  blocks and line breaks leave nothing behind, so `web-0 failed` and `web-1 ready` become `failedweb-1`, and two commands
#        become one. `&lt;pod&gt;` becomes `<pod>`, the form in which Slack expects a link.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund slackify-html@1.0.1 >/dev/null 2>&1
cat >translate.js <<'JS'
const slackify = require('slackify-html');
const alerts = [
  '<ul><li>web-0 <b>failed</b></li><li>web-1 ready</li></ul>',
  'kubectl get pods<br>kubectl logs &lt;pod&gt;',
];
for (const alert of alerts) console.log(slackify(alert));
JS
node translate.js | tee seen
diff seen - <<'OUT'
web-0 *failed*web-1 ready
kubectl get podskubectl logs <pod>
OUT
