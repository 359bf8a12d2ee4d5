#!/usr/bin/env bash
# A report in HTML, a sentence and a table of pods, turned into mrkdwn by html-to-mrkdwn 3.0.0.
# Guess: mrkdwn has no tables, so the text of the cells stays, in lines.
# Seen:  the sentence alone. A report that is one table becomes an empty message, which Slack refuses as `no_text`.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund html-to-mrkdwn@3.0.0 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import convert from 'html-to-mrkdwn';
const table = '<table><tr><th>Pod</th><th>State</th></tr><tr><td>web-1</td><td>OOMKilled</td></tr></table>';
for (const html of [`<p>One pod fails:</p>${table}`, table]) console.log(JSON.stringify(convert(html).text));
EOF
node read.mjs | tee seen
diff seen - <<'EOF'
"One pod fails:"
""
EOF
