#!/usr/bin/env bash
# Messages of Slack about an image and a time, shown as HTML by slack-hawk-down 0.3.5.
# Guess: what stands between two colons and is no emoji stays as it was written.
# Seen:  the name stays and its colons are dropped: `registry:5000/web:1.2` becomes `registry5000/web1.2`, an image that does not exist, and
#        12:30:45 becomes 123045. Only the first pair of a message is looked at, so an emoji after it is shown as text.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund slack-hawk-down@0.3.5 >/dev/null 2>&1
cat >show.js <<'JS'
const { escapeForSlack } = require('slack-hawk-down');
for (const text of ['ready :tada:', 'cannot pull registry:5000/web:1.2', 'ready at 12:30:45 :tada:']) {
  console.log(escapeForSlack(text));
}
JS
node show.js | tee seen
diff seen - <<'OUT'
ready &#x1F389
cannot pull registry5000/web1.2
ready at 123045 :tada:
OUT
