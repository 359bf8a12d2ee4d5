#!/usr/bin/env bash
# A message of Slack with two pieces of code on one line, rendered by markdown-it-slack 1.2.0 in markdown-it 8.4.2: once with a first piece
# of one line, and once with a first piece of two lines.
# Guess: both pieces are rendered, and the words between and after them.
# Seen:  with a first piece of two lines the message ends where the second piece begins. The text is split at each mark of code, and only
#        two of the parts are used. The second command and the warning behind it are missing.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund markdown-it-slack@1.2.0 markdown-it@8.4.2 >/dev/null 2>&1
cat >render.js <<'JS'
const markdown = require('markdown-it')().use(require('markdown-it-slack'));
for (const first of ['get pods', 'get pods\nweb-1']) {
  const message = `\`\`\`${first}\`\`\` then \`\`\`delete pod web-1\`\`\` but not web-2`;
  console.log(`${JSON.stringify(first)}: ${JSON.stringify(markdown.render(message))}`);
}
JS
node render.js | tee seen
diff seen - <<'OUT'
"get pods": "<p><code>get pods</code> then <code>delete pod web-1</code> but not web-2</p>\n"
"get pods\nweb-1": "<pre><code>get pods\nweb-1\n</code></pre>\n<p>then</p>\n"
OUT
