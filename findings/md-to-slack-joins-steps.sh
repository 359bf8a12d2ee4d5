#!/usr/bin/env bash
# The steps of a runbook, the second of which has steps of its own, in md-to-slack 1.1.7.
# Guess: one line for each step, the inner ones indented or level with the others.
# Seen:  the first inner step stands at the end of its parent's line without a space, so a command and the next step become one
#        word.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund md-to-slack@1.1.7 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import { markdownToSlack } from 'md-to-slack';
console.log(markdownToSlack('1. cordon the node\n2. drain node-7\n   - wait\n   - reboot\n3. uncordon it'));
EOF
node read.mjs | tee seen
diff seen - <<'EOF'
1. cordon the node
2. drain node-7- wait
- reboot
3. uncordon it
EOF
