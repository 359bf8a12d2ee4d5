#!/usr/bin/env bash
# A quoted line, as the API of Slack returns it, in slack-markdown 0.3.0.
# Guess: a quotation. Slack writes `&gt;` for each `>` that a person types, and the parser reads messages of Slack.
# Seen:  only an unescaped `>` starts a quotation, which no message of the API has; and by default each `&` is escaped once
#        more, so that the reader sees `&gt;` and `&lt;pod&gt;`. `escapeHTML: false` shows the text and still no quotation.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund slack-markdown@0.3.0 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import markdown from 'slack-markdown';
for (const text of ['> quoted', '&gt; quoted', 'logs of &lt;pod&gt;']) {
  console.log(markdown.toHTML(text), '|', markdown.toHTML(text, { escapeHTML: false }));
}
EOF
node read.mjs | tee seen
diff seen - <<'EOF'
<blockquote>quoted</blockquote> | <blockquote>quoted</blockquote>
&amp;gt; quoted | &gt; quoted
logs of &amp;lt;pod&amp;gt; | logs of &lt;pod&gt;
EOF
