#!/usr/bin/env bash
# The steps of a runbook with a text between them, as blocks of Slack made by @instantish/mack 1.2.0.
# Guess: the numbers of the text.
# Seen:  the second list starts at 1 again, so "repeat step 2" points to another step.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @instantish/mack@1.2.0 >/dev/null 2>&1
cat >convert.js <<'JS'
const { markdownToBlocks } = require('@instantish/mack');
(async () => {
  const blocks = await markdownToBlocks('1. stop\n2. wait\n\nIt is down now.\n\n3. start\n4. repeat step 2');
  for (const block of blocks) console.log(block.text.text);
})();
JS
node convert.js | tee seen
diff seen - <<'OUT'
1. stop
2. wait
It is down now.
1. start
2. repeat step 2
OUT
