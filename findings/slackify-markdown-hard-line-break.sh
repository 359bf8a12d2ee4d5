#!/usr/bin/env bash
# A hard line break of Markdown (two spaces at the end of a line) in slackify-markdown 5.0.0.
# Guess: the line break stays, the two spaces go.
# Seen:  the line ends in a backslash that Slack shows to the reader.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund slackify-markdown@5.0.0 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import { slackifyMarkdown } from 'slackify-markdown';
console.log(JSON.stringify(slackifyMarkdown('cause: quota  \nfix: lower the surge')));
EOF
node read.mjs | tee seen
diff seen - <<'EOF'
"cause: quota\\\nfix: lower the surge\n"
EOF
