#!/usr/bin/env bash
# A line of a log and the reference of an image in slack-message-parser 3.0.2.
# Guess: text, as Slack shows it, because no emoji has such a name.
# Seen:  whatever stands between two colons is an emoji, also the minutes of a time. A transcript that draws the text and the
#        emoji it knows shows `0945 panic`; each unknown name has to be put back with its colons.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund slack-message-parser@3.0.2 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import { NodeType, parse } from 'slack-message-parser';
for (const text of ['09:12:45 panic', 'registry:5000/web:v2']) {
  console.log(parse(text).children.map((node) => `${NodeType[node.type]} ${node.text ?? node.name}`));
}
EOF
node read.mjs | tee seen
diff seen - <<'EOF'
[ 'Text 09', 'Emoji 12', 'Text 45 panic' ]
[ 'Text registry', 'Emoji 5000/web', 'Text v2' ]
EOF
