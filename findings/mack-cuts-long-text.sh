#!/usr/bin/env bash
# Markdown of 3,500 characters (a log excerpt) turned into blocks of Slack by @tryfabric/mack 1.2.1.
# Guess: two sections, as Slack allows 3,000 characters in one, or an error.
# Seen:  one section of 3,000 characters. The end of the text, where the deciding line of a log stands, is gone without a mark.
#        In a checklist the mark of a done item is gone as well.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @tryfabric/mack@1.2.1 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import mack from '@tryfabric/mack';
const text = `${'line of a log '.repeat(249)}\npanic: END`;
const blocks = await mack.markdownToBlocks(text);
console.log(text.length, blocks.map((block) => block.text.text.length), JSON.stringify(blocks).includes('END'));
console.log((await mack.markdownToBlocks('- [ ] open\n- [x] done'))[0].text.text);
EOF
node read.mjs | tee seen
diff seen - <<'EOF'
3497 [ 3000 ] false
• open
• done
EOF
