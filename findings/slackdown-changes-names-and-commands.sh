#!/usr/bin/env bash
# A message of Slack about an alert, as Markdown from @bpinternal/slackdown 0.1.0: a metric, an emoji and a command.
# Guess: names keep their underscores, because Slack shows no italics inside a word, and code stays as it is.
# Seen:  `kube_pod_status_ready` becomes `kube*pod*status_ready`, the emoji code is broken, and a command in code changes too:
#        `ls app_*_v*` is `ls app***v*`. A ticket that copies the message names a metric that does not exist and a command that
#        matches other files. Only a block of code keeps its text.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @bpinternal/slackdown@0.1.0 >/dev/null 2>&1
cat >convert.mjs <<'EOF'
import { slackToMarkdown } from '@bpinternal/slackdown';
for (const message of ['kube_pod_status_ready is 0', ':white_check_mark: done', 'run `ls app_*_v*`', '```\nls app_*_v*\n```']) {
  console.log(JSON.stringify(slackToMarkdown(message)));
}
EOF
node convert.mjs | tee seen
diff seen - <<'EOF'
"kube*pod*status_ready is 0"
":white*check*mark: done"
"run `ls app***v*`"
"```text\nls app_*_v*\n```"
EOF
