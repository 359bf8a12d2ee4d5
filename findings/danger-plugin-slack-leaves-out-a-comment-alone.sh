#!/usr/bin/env bash
# Results of a review, turned into a Slack message by danger-plugin-slack 1.1.2: a comment in Markdown alone, and the same comment beside a
# warning. The message has a part for comments.
# Guess: the comment is in both messages.
# Seen:  the comment alone is left out, and the text states "No output to show". The check for results does not count comments, so a plan
#        of a rollout reaches the channel only when something else is wrong.
#        The plugin does not install @slack/client, which it loads, so the script does.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund danger-plugin-slack@1.1.2 @slack/client@5.0.2 >/dev/null 2>&1
cat >message.js <<'JS'
const { createMessage } = require('danger-plugin-slack');
const person = { login: 'octocat', html_url: 'https://git.example/octocat' };
const pr = { number: 1, title: 'Roll out web', body: '', html_url: 'https://git.example/1', user: person };
for (const warnings of [[], [{ message: 'No limit of memory' }]]) {
  const { attachments, text } = createMessage(pr, { fails: [], warnings, messages: [], markdowns: ['plan of the rollout'] }, {});
  const shown = attachments.map((attachment) => attachment.text.replace('• ', ''));
  console.log(`${warnings.length} warnings: ${shown.join(', ') || 'nothing'}, "No output": ${text.includes('No output to show')}`);
}
JS
node message.js | tee seen
diff seen - <<'OUT'
0 warnings: nothing, "No output": true
1 warnings: No limit of memory, plan of the rollout, "No output": false
OUT
