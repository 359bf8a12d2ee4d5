#!/usr/bin/env bash
# Placeholders in angle brackets in slackify-markdown 5.0.0: in text and in a code span.
# Guess: both are escaped (&lt;name&gt;): Slack asks to escape these characters everywhere in a text.
# Seen:  in text a lone '<' is escaped; in a code span nothing is.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund slackify-markdown@5.0.0 >/dev/null 2>&1
cat >run.mjs <<'EOF'
import { slackifyMarkdown } from 'slackify-markdown';
console.log(slackifyMarkdown('replicas < wanted').trim());
console.log(slackifyMarkdown('run `kubectl get pods -l app=<name>`').trim());
EOF
TZ=UTC node run.mjs | tee seen
diff seen - <<'EOF'
replicas &lt; wanted
run `kubectl get pods -l app=<name>`
EOF
