#!/usr/bin/env bash
# Marks of Slack that follow one another, in @clearfeed-ai/slack-to-html 1.2.7: two bold words, two headings on two lines, and two pieces of
# code.
# Guess: each pair is rendered, as Slack does.
# Seen:  the space or line break after a mark is taken as its end, and is missing as the beginning of the next. Every second bold or italic
#        mark stays as text. With a word between them both are rendered, and code always is.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @clearfeed-ai/slack-to-html@1.2.7 >/dev/null 2>&1
cat >render.js <<'JS'
const { escapeForSlackWithMarkdown } = require('@clearfeed-ai/slack-to-html');
for (const text of ['*web* *stuck*', '*Cause*\n*Fix*', '_web_ _stuck_', '*web* is *stuck*', '`web` `stuck`']) {
  const html = escapeForSlackWithMarkdown(text).replace(/ class="\w+"/g, '');
  console.log(`${JSON.stringify(text)}: ${JSON.stringify(html)}`);
}
JS
node render.js | tee seen
diff seen - <<'OUT'
"*web* *stuck*": "<strong>web</strong> *stuck*"
"*Cause*\n*Fix*": "<strong>Cause</strong>\n*Fix*"
"_web_ _stuck_": "<em>web</em> _stuck_"
"*web* is *stuck*": "<strong>web</strong> is <strong>stuck</strong>"
"`web` `stuck`": "<span><code>web</code></span> <span><code>stuck</code></span>"
OUT
