#!/usr/bin/env bash
# Steps of a runbook, translated from Markdown to Slack by `githubToSlack` of @atomist/slack-messages 1.2.2. The commands stand in inline code.
# Guess: inline code stays as it was written; GitHub and Slack both show it so.
# Seen:  a regular expression that ends with `$` before its quote is cut there, and the rest of the sentence is written into the command. In
#        a shell, `$$` becomes `$`. Commands without a dollar sign are kept, so a test with one of them finds nothing.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @atomist/slack-messages@1.2.2 >/dev/null 2>&1
cat >translate.js <<'JS'
const { githubToSlack } = require('@atomist/slack-messages');
const steps = [
  "Run `kubectl get pods | grep 'Ready'`, then delete web-0.",
  "Run `kubectl get pods | grep 'Ready$'`, then delete web-0.",
  'Send `kill -TERM $$` to the shell.',
];
for (const step of steps) console.log(githubToSlack(step));
JS
node translate.js | tee seen
diff seen - <<'OUT'
Run `kubectl get pods | grep 'Ready'`, then delete web-0.
Run `kubectl get pods | grep 'Ready, then delete web-0.`, then delete web-0.
Send `kill -TERM $` to the shell.
OUT
