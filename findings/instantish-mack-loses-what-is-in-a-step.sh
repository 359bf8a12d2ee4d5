#!/usr/bin/env bash
# Three lists of Markdown as blocks of Slack, made by @instantish/mack 1.2.0: plain steps, a step with steps in it,
# and a step with a command in it.
# Guess: all text in the blocks.
# Seen:  what is in a step below its first line is missing, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @instantish/mack@1.2.0 >/dev/null 2>&1
cat >convert.js <<'JS'
const { markdownToBlocks } = require('@instantish/mack');
(async () => {
  for (const inner of ['', '  - wait\n', '\n  ```\n  systemctl stop web\n  ```\n']) {
    const text = `- stop\n${inner}- start`;
    const blocks = await markdownToBlocks(text);
    console.log(JSON.stringify(text), JSON.stringify(blocks.map((block) => block.text.text)));
  }
})();
JS
node convert.js | tee seen
diff seen - <<'OUT'
"- stop\n- start" ["• stop\n• start"]
"- stop\n  - wait\n- start" ["• stop\n• start"]
"- stop\n\n  ```\n  systemctl stop web\n  ```\n- start" ["• stop\n• start"]
OUT
